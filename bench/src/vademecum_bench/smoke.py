"""A data set that fits on one screen, so that every check of a change can run a benchmark."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from vademecum_bench.corpus import Corpus, Dataset, Question, Session, Turn, Unit

FLOOR = 90.0
"""any@3 that our own recipe must reach here, in percent."""

FIRST_DAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# Twenty short talks of a bakery's two owners: who said what.
TALKS = (
    ("Ida: The rye starter goes into the cold room at six every evening.", "Joao: Understood."),
    ("Joao: Our new oven came, a Hobart HX-20 with steam.", "Ida: Finally, the old one leaked."),
    ("Ida: Mrs. Okafor ordered forty cinnamon rolls for Sunday.", "Joao: I will bake them."),
    ("Joao: The landlord wants to raise the rent by eight percent.", "Ida: We should say no."),
    ("Ida: I cut my thumb on the slicer.", "Joao: Please see a doctor about that."),
    ("Joao: Flour now comes from the Lindqvist mill, not from Grano.", "Ida: It smells better."),
    ("Ida: The delivery van failed its inspection because of the brakes.", "Joao: Again!"),
    ("Joao: The tax adviser needs last year's receipts by Friday.", "Ida: They are in the attic."),
    ("Ida: Nobody buys the olive bread on Mondays.", "Joao: Then we bake it from Tuesday on."),
    ("Joao: Our apprentice Selma passed her first exam.", "Ida: Let us give her a watch."),
    ("Ida: Card payments fail with error E1402 when it rains.", "Joao: I will call the bank."),
    ("Joao: The mayor tasted our sourdough at the market.", "Ida: Did she like it?"),
    ("Ida: From May on we open at seven instead of six.", "Joao: Good, I need the sleep."),
    ("Joao: I planted rosemary and thyme behind the shop.", "Ida: For the focaccia?"),
    ("Ida: The health office found nothing wrong with the kitchen.", "Joao: What a relief."),
    ("Joao: My sister in Porto had twins.", "Ida: Congratulations to the whole family!"),
    ("Ida: The website still shows the prices of two years ago.", "Joao: I forgot the password."),
    ("Joao: A dog stole three croissants from the terrace.", "Ida: It was the neighbour's."),
    ("Ida: We are out of cardamom until the ship arrives.", "Joao: Then no buns this week."),
    ("Joao: The choir wants to rehearse in our cellar.", "Ida: Only if they sweep afterwards."),
)

# The question, and the number of the talk that answers it.
QUESTIONS = (
    ("Which oven did we buy?", 2),
    ("When does the rye starter go into the cold room?", 1),
    ("How many cinnamon rolls did Mrs. Okafor order?", 3),
    ("Which mill does the flour come from?", 6),
    ("What does E1402 mean?", 11),
    ("Why did the van fail the inspection?", 7),
    ("Who passed the exam?", 10),
    ("When do we open in May?", 13),
    ("What did the dog steal?", 18),
    ("Where does the choir want to rehearse?", 20),
)


def load() -> Dataset:
    """Twenty sessions of two turns, and ten questions whose words occur in the right one."""
    sessions = tuple(_session(number, lines) for number, lines in enumerate(TALKS, start=1))
    return Dataset(
        name="smoke",
        unit=Unit.SESSION,
        corpora=(Corpus(id="bakery", sessions=sessions),),
        questions=tuple(
            Question(
                id=f"q{number}",
                corpus="bakery",
                text=text,
                type="fact",
                gold=(f"talk-{talk}",),
                asked_at=FIRST_DAY + timedelta(days=100),
            )
            for number, (text, talk) in enumerate(QUESTIONS, start=1)
        ),
    )


def _session(number: int, lines: tuple[str, str]) -> Session:
    started_at = FIRST_DAY + timedelta(days=number)
    turns = []
    for at, line in enumerate(lines):
        speaker, _, words = line.partition(": ")
        turns.append(
            Turn(
                id=f"talk-{number}/{at}",
                text=words,
                speaker=speaker,
                time=started_at + timedelta(minutes=at),
            )
        )
    return Session(id=f"talk-{number}", turns=tuple(turns), started_at=started_at)

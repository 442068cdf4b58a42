"""XQuAD: the same paragraphs and questions in several languages.

Artetxe et al., "On the Cross-lingual Transferability of Monolingual Representations", ACL 2020,
CC BY-SA 4.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from vademecum_bench.corpus import Corpus, Dataset, Question, Text, Unit
from vademecum_bench.datasets.files import checksums, folder_of, read_json
from vademecum_bench.errors import DataError

Pair = tuple[str, str]

DEFAULT_PAIRS = "en:en,de:de,es:es,ru:ru,ar:ar,hi:hi,zh:zh,en:zh"


def load(data: Path, pairs: str = DEFAULT_PAIRS) -> Dataset:
    """Questions of one language over the paragraphs of another, for each pair.

    The paragraphs of a language are one corpus, whichever pairs ask of it.
    """
    wanted = parse_pairs(pairs)
    languages = sorted({language for pair in wanted for language in pair})
    names = [f"xquad.{language}.json" for language in languages]
    folder = folder_of(data, "xquad", names)
    read = {language: _read(folder / f"xquad.{language}.json") for language in languages}
    targets = dict.fromkeys(target for _, target in wanted)
    corpora = [Corpus(id=language, texts=read[language][0]) for language in targets]
    questions = [
        Question(
            id=f"{source}:{target}/{name}",
            corpus=target,
            text=text,
            type=f"{source}:{target}",
            gold=(paragraph,),
        )
        for source, target in wanted
        for name, text, paragraph in read[source][1]
    ]
    return Dataset(
        name="xquad",
        unit=Unit.TEXT,
        corpora=corpora,
        questions=questions,
        files=checksums(folder, names),
        options={"languages": ",".join(f"{source}:{target}" for source, target in wanted)},
    )


def parse_pairs(text: str) -> Sequence[Pair]:
    """`en:en,en:zh`: the language of the questions, then that of the paragraphs."""
    pairs: list[Pair] = []
    for part in text.split(","):
        source, colon, target = part.strip().partition(":")
        if not (source and colon and target and source.isalpha() and target.isalpha()):
            raise DataError(
                f"not a pair of languages: {part!r}",
                hint="Write QUESTIONS:PARAGRAPHS, several with commas, such as en:en,en:zh.",
            )
        pairs.append((source, target))
    return tuple(dict.fromkeys(pairs))


def _read(path: Path) -> tuple[tuple[Text, ...], list[tuple[str, str, str]]]:
    """Paragraphs, and questions as id, words and paragraph.

    Paragraphs are named by their place, which is the same in every language.
    """
    texts: list[Text] = []
    questions: list[tuple[str, str, str]] = []
    for article_at, article in enumerate(read_json(path)["data"]):
        for paragraph_at, paragraph in enumerate(article["paragraphs"]):
            name = f"{article_at:02d}-{paragraph_at}"
            texts.append(Text(id=name, text=str(paragraph["context"])))
            questions.extend(
                (str(entry["id"]), str(entry["question"]), name) for entry in paragraph["qas"]
            )
    return tuple(texts), questions

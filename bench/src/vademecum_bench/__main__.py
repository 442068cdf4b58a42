"""`python -m vademecum_bench`."""

from vademecum_bench.cli import main

main()

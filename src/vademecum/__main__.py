"""`python -m vademecum` is the command `vade`."""

from vademecum.faces.cli import main

if __name__ == "__main__":
    main()

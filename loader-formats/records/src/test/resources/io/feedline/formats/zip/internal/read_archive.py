"""Writes what Python's zipfile finds in an archive: a damaged file or None, how many files there
are, the first and the last. Arguments: the archive, where to write."""

import sys
import zipfile
from pathlib import Path

with zipfile.ZipFile(sys.argv[1]) as archive:
    names = archive.namelist()
    Path(sys.argv[2]).write_text(f"{archive.testzip()} {len(names)} {names[0]} {names[-1]}\n")

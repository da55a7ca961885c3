"""Makes images.zip and deflated.zip beside this script, with Python's zipfile."""

import zipfile
from pathlib import Path

here = Path(__file__).resolve().parent
images = here.parent / "image"
WHEN = (2020, 1, 1, 0, 0, 0)

FILES = [
    ("dog/", b""),
    ("dog/b.jpg", (images / "jpeg_1x1.jpg").read_bytes()),
    ("dog/deep/a.PNG", (images / "png_1x1.png").read_bytes()),
    ("cat/\u00fc.jpeg", (images / "jpeg_444.jpg").read_bytes()),
    ("cat/notes.txt", b"no image"),
    ("readme.jpg", b"in no class"),
]


def pack(name, method):
    with zipfile.ZipFile(here / name, "w") as archive:
        for path, data in FILES:
            entry = zipfile.ZipInfo(path, WHEN)
            entry.compress_type = method
            archive.writestr(entry, data)


pack("images.zip", zipfile.ZIP_STORED)
pack("deflated.zip", zipfile.ZIP_DEFLATED)

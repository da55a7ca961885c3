#!/usr/bin/env python3
"""Packs images of seldom kinds, damaged or not, with what Pillow makes of them: reported_kinds.gz.

    python3 reported_kinds.py exif gif jpeg png tiff     (Pillow 12.3.0 with libjpeg-turbo 3.1.4.1)

The folders have what orientation_kinds.py (every third file), container_kinds.py and jpeg_kinds.c
write; a JPEG comes a second time as `damaged` makes it. A name begins with "exif" where Pillow's exif_transpose is applied. The layout is that of
pillow_mutants.gz: name, data, width and height (0 if Pillow refuses), CRC-32 of convert("RGB"), and
that of a JPEG at a quarter of its size, as draft() makes it; 0 if there is none.
"""
import gzip
import io
import os
import random
import struct
import sys
import warnings
import zlib

from PIL import Image, ImageOps

MOST_BYTES = 1500


def damaged(data, r):
    """A JPEG with something wrong in its scans."""
    data = bytearray(data)
    start = data.find(b"\xff\xda") + 14
    if len(data) - start < 8:
        return bytes(data)
    at = r.randrange(start, len(data) - 3)
    kind = r.randrange(6)
    if kind < 2:
        data[at : at + 2] = bytes([255, r.choice([0xC4, 0xCC, 0xDA, 0xDB, 0xDD, r.randrange(1, 255)])])
    elif kind == 2:
        data[at] ^= 1 << r.randrange(8)
    elif kind == 3:
        data = data[:at] + r.choice([b"", b"\xff\xd9", b"\0" * 9])
    elif kind == 4:
        del data[at : at + r.randrange(1, 30)]
    else:
        data[-2:] = r.choice([b"", b"\0" * 12, b"\xff\xd8\xff\xd9", b"\xff\xfe\0\0\xff\xd9"])
    return bytes(data)


def pillow(name, data):
    try:
        image = Image.open(io.BytesIO(data))
        if name.startswith("exif"):
            image = ImageOps.exif_transpose(image)
        image = image.convert("RGB")
        return image.width, image.height, zlib.crc32(image.tobytes())
    except Exception:
        return 0, 0, 0


def quarter(name, data, width, height):
    # Pillow crashes at a fraction of a lossless JPEG.
    if not name.startswith("jpeg") or "ll_" in name or min(width, height) < 4:
        return 0
    image = Image.open(io.BytesIO(data))
    image.draft("RGB", (width // 4, height // 4))
    return zlib.crc32(image.convert("RGB").tobytes())


warnings.simplefilter("ignore")
r = random.Random(1)
with gzip.GzipFile("reported_kinds.gz", "wb", 9, mtime=0) as out:
    for folder in sys.argv[1:]:
        kind = os.path.basename(folder)
        for name in sorted(os.listdir(folder)):
            with open(os.path.join(folder, name), "rb") as f:
                data = f.read()
            if len(data) > MOST_BYTES:
                continue
            name = "%s-%s" % (kind, name)
            for each in (data, damaged(data, r)) if kind == "jpeg" else (data,):
                width, height, crc = pillow(name, each)
                for text in (name.encode(), each):
                    out.write(struct.pack(">i", len(text)) + text)
                out.write(struct.pack(">iiII", width, height, crc, quarter(name, each, width, height)))
                name += "-damaged"

#!/usr/bin/env python3
"""Writes modes.txt: what Pillow decodes the pictures beside this script to, in other modes than RGB.

    python3 modes.py          (Pillow 12.3.0 with libjpeg-turbo 3.1)

A line is

    name mode width height crc32

with Feedline's names of the modes, and the CRC-32 of the samples, those of 16 bits in little-endian order. Gray of a JPEG
is what libjpeg gives for its draft mode "L"; of 16 bits it is the upper 8, which Pillow would clip to white.
gray/2, gray/4 and gray/8 are JPEGs at a fraction of their size, as libjpeg scales them.
"""
import csv
import pathlib
import zlib

import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent


def gray(name):
    image = Image.open(HERE / name)
    if image.format == "JPEG":
        image.draft("L", image.size)
    if image.mode.startswith("I"):
        return Image.fromarray((np.asarray(image).astype(np.int64) >> 8).astype(np.uint8))
    return image.convert("L")


def rgba(name):
    image = Image.open(HERE / name)
    return None if image.mode.startswith("I") else image.convert("RGBA")


def gray16(name):
    image = Image.open(HERE / name)
    return Image.fromarray(np.asarray(image).astype("<u2")) if image.mode.startswith("I") else None


def drafted(name, divisor):
    """Gray at a fraction of the size, as libjpeg decodes it at once."""
    image = Image.open(HERE / name)
    if image.mode not in ("RGB", "L") or "progressive" in name:
        return None
    size = tuple(-(-side // divisor) for side in image.size)
    image.draft("L", tuple(side // divisor or 1 for side in image.size))
    return image if image.size == size else None


lines = []
for name, *_ in csv.reader(open(HERE / "golden.csv")):
    if name in ("jpeg_damaged.jpg", "tiff_big_endian.tif"):
        continue
    for mode in (gray, rgba, gray16):
        image = mode(name)
        if image is not None:
            lines.append(f"{name} {mode.__name__} {image.width} {image.height} {zlib.crc32(image.tobytes()):08x}\n")
    for divisor in (2, 4, 8) if name.startswith("jpeg_") else ():
        image = drafted(name, divisor)
        if image:
            lines.append(f"{name} gray/{divisor} {image.width} {image.height} {zlib.crc32(image.tobytes()):08x}\n")
(HERE / "modes.txt").write_text("".join(lines))

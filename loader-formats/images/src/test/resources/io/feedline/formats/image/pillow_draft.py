#!/usr/bin/env python3
"""Makes JPEGs, and what Pillow's draft and resize make of them and of the pictures of make_fixtures.py.

    python3 pillow_draft.py          (Pillow 9.4.0 with libjpeg-turbo 2.1.5)

Each line of pillow_draft.txt: name, width and height that are asked for, CRC-32 of the RGB bytes.
"""
import os
import zlib

import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
# The sides are no multiples of an MCU.
WIDTH, HEIGHT = 131, 77
MADE = [
    ("draft_444.jpg", "RGB", {"subsampling": 0}),
    ("draft_422.jpg", "RGB", {"subsampling": 1}),
    ("draft_420.jpg", "RGB", {"subsampling": 2, "quality": 95}),
    ("draft_gray.jpg", "L", {"quality": 20}),
]
SMALL = ["jpeg_420.jpg", "jpeg_422.jpg", "jpeg_444.jpg", "jpeg_grey.jpg", "jpeg_rgb_adobe.jpg", "jpeg_1x1.jpg"]


def picture():
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(float)
    red = 128 + 120 * np.sin(x / 9) * np.cos(y / 6)
    green = 255 * ((3 * x + y) % 97) / 97
    noise = np.random.default_rng(1).integers(0, 256, (HEIGHT, WIDTH))
    return Image.fromarray(np.stack([red, green, noise], -1).clip(0, 255).astype(np.uint8))


def sizes(width, height):
    yield 1, 1
    for divisor in [1.5, 1.9, 2, 2.5, 4, 5.1, 8, 9, 20]:
        yield max(1, int(width / divisor)), max(1, int(height / divisor))
    # Less in one direction than in the other.
    yield max(1, width // 2), max(1, height // 9)
    yield max(1, width // 9), height


def main():
    for name, mode, options in MADE:
        picture().convert(mode).save(os.path.join(HERE, name), "JPEG", **options)
    lines = []
    for name in [made[0] for made in MADE] + SMALL:
        path = os.path.join(HERE, name)
        with Image.open(path) as image:
            width, height = image.size
        for w, h in sorted(set(sizes(width, height))):
            image = Image.open(path)
            image.draft("RGB", (w, h))
            resized = image.convert("RGB").resize((w, h), Image.BILINEAR)
            lines.append("%s %d %d %08x" % (name, w, h, zlib.crc32(resized.tobytes())))
    with open(os.path.join(HERE, "pillow_draft.txt"), "w") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()

"""Writes pillow_resize.txt: what Pillow makes of crops and sizes. Run: python3 pillow_resize.py

Made with Pillow 12.3.0. A line is

    width height  x y cropWidth cropHeight  newWidth newHeight  filter  crc32

for picture(width, height).crop(...).resize(..., filter), the CRC-32 being that of the RGB bytes.
"""

import pathlib
import random
import zlib

from PIL import Image

from picture import picture

FILTERS = ["NEAREST", "BOX", "BILINEAR", "BICUBIC", "LANCZOS", "HAMMING"]
EDGES = [
    # (width, height), (x, y, cropWidth, cropHeight), (newWidth, newHeight)
    ((1, 1), (0, 0, 1, 1), (1, 1)),
    ((1, 1), (0, 0, 1, 1), (7, 5)),
    ((2, 1), (0, 0, 2, 1), (1, 4)),
    ((5, 3), (1, 1, 3, 1), (64, 2)),
    ((40, 30), (0, 0, 40, 30), (40, 30)),
    ((40, 30), (0, 0, 40, 30), (40, 17)),
    ((40, 30), (0, 0, 40, 30), (23, 30)),
    ((40, 30), (39, 29, 1, 1), (9, 9)),
    ((64, 48), (0, 0, 64, 48), (32, 24)),
    ((64, 48), (0, 0, 64, 48), (128, 96)),
    ((100, 75), (11, 7, 80, 60), (1, 1)),
    ((700, 3), (0, 0, 700, 3), (5, 90)),
    ((3, 700), (0, 0, 3, 700), (90, 5)),
    ((2000, 2), (17, 0, 1900, 2), (2, 1)),
    ((5, 900), (0, 0, 5, 900), (3, 100)),
    ((6, 900), (1, 50, 4, 401), (9, 400)),
    ((6, 900), (1, 50, 4, 401), (9, 402)),
    ((6, 900), (1, 50, 4, 400), (9, 100)),
    ((1, 101), (0, 0, 1, 101), (64, 64)),
]


def cases():
    for size, box, target in EDGES:
        for name in FILTERS:
            yield size, box, target, name
    rng = random.Random(20240)
    for i in range(240):
        width, height = rng.randint(1, 180), rng.randint(1, 180)
        crop_width, crop_height = rng.randint(1, width), rng.randint(1, height)
        x, y = rng.randint(0, width - crop_width), rng.randint(0, height - crop_height)
        target = rng.randint(1, 200), rng.randint(1, 200)
        name = ("BILINEAR", "BILINEAR", "BICUBIC", "NEAREST", "BOX", "LANCZOS")[i % 6]
        yield (width, height), (x, y, crop_width, crop_height), target, name
    for size in (150, 224, 300, 336, 447, 448, 449, 560, 900):
        yield (size, size), (0, 0, size, size), (224, 224), "BILINEAR"
        yield (size, size), (0, 0, size, size), (224, 224), "BICUBIC"
        yield (size, size), (0, 0, size, size), (224, 224), "HAMMING"


lines = []
for (width, height), (x, y, w, h), (new_width, new_height), name in cases():
    crop = picture(width, height).crop((x, y, x + w, y + h))
    result = crop.resize((new_width, new_height), getattr(Image, name))
    crc = zlib.crc32(result.tobytes())
    lines.append(f"{width} {height} {x} {y} {w} {h} {new_width} {new_height} {name} {crc:08x}\n")
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

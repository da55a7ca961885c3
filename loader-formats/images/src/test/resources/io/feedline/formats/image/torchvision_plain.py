"""Writes torchvision_plain.txt: torchvision's resize of 8-bit tensors, not antialiased.

Made with torch 1.13.0 and torchvision 0.14.1. Run: python3 torchvision_plain.py. A line is

    width height  x y cropWidth cropHeight  newWidth newHeight  rgb

for the resize of picture(width, height).crop(...), the last word being its RGB bytes, row by row.
"""

import pathlib
import random

import numpy
import torch
from torchvision.transforms import functional

from picture import picture

EDGES = [
    # (width, height), (x, y, cropWidth, cropHeight), (newWidth, newHeight)
    ((1, 1), (0, 0, 1, 1), (3, 2)),
    ((2, 1), (0, 0, 2, 1), (5, 1)),
    ((1, 9), (0, 0, 1, 9), (2, 4)),
    ((30, 20), (0, 0, 30, 20), (30, 7)),
    ((30, 20), (0, 0, 30, 20), (9, 20)),
    ((300, 4), (0, 0, 300, 4), (224, 2)),
    ((4, 300), (0, 0, 4, 300), (2, 224)),
    ((150, 3), (0, 0, 150, 3), (224, 2)),
    ((900, 2), (0, 0, 900, 2), (224, 2)),
    ((2000, 3), (17, 0, 1900, 3), (1, 1)),
]


def cases():
    yield from EDGES
    rng = random.Random(99)
    for _ in range(40):
        width, height = rng.randint(1, 200), rng.randint(1, 200)
        crop_width, crop_height = rng.randint(1, width), rng.randint(1, height)
        x, y = rng.randint(0, width - crop_width), rng.randint(0, height - crop_height)
        yield (width, height), (x, y, crop_width, crop_height), (rng.randint(1, 20), rng.randint(1, 12))


lines = []
for (width, height), (x, y, w, h), (new_width, new_height) in cases():
    pixels = numpy.asarray(picture(width, height).crop((x, y, x + w, y + h)))
    tensor = torch.from_numpy(pixels.copy()).permute(2, 0, 1)
    result = functional.resize(tensor, [new_height, new_width], antialias=False)
    rgb = result.permute(1, 2, 0).contiguous().numpy().tobytes().hex()
    lines.append(f"{width} {height} {x} {y} {w} {h} {new_width} {new_height} {rgb}\n")
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

"""Writes torchvision_v2_warps.bin.gz: warped pictures of 16 bits, and bicubic elastic transforms.
load_torchvision_v2.py says how to run it.

Made with torch 2.13.0, torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6. The file has the samples of
the pictures one after the other, those of 16 bits in little-endian order:

- the picture moded("gray16", 37, 23) of picture.py, turned by ANGLES and then by MATRICES (an affine
  and a perspective map), each with the nearest pixel, bilinear and bicubic, by Pillow: the first in
  mode I;16, the others in mode I, as I;16 takes bytes for samples there; clipped to 0 to 65535;
- the same picture displaced by displacement(37, 23), with the nearest pixel, bilinear and bicubic, by
  torchvision, as float32, clipped and rounded;
- noise(37, 23) displaced in the same way, with each of FILLS, bicubic.
"""

import gzip
import pathlib

import numpy
import torch
from PIL import Image

import load_torchvision_v2

load_torchvision_v2.load()

from torchvision.transforms.v2 import functional as F
from torchvision.transforms.v2 import InterpolationMode as Mode

from picture import moded, noise

WIDTH, HEIGHT = 37, 23
ANGLES = [13, -70, 200.5]
MATRICES = [
    (Image.AFFINE, (0.9, 0.2, -3, -0.1, 1.1, 2)),
    (Image.PERSPECTIVE, (0.9, 0.2, -3, -0.1, 1.1, 2, 0.004, -0.002)),
]
FILTERS = [Image.NEAREST, Image.BILINEAR, Image.BICUBIC]
FILLS = [[0, 0, 0], [10, 200, 30]]


def displacement(width, height):
    """Whole 64ths of half of a side."""
    x = torch.arange(width)[None, :]
    y = torch.arange(height)[:, None]
    along_x = ((x * 7 + y * 5) % 11 - 5).float() / 64
    along_y = ((x * 3 + y * 8) % 13 - 6).float() / 64
    return torch.stack([along_x, along_y], -1)[None]


written = []


def add(samples, largest):
    written.append(samples.clip(0, largest).astype("<u2" if largest > 255 else "u1").tobytes())


wide = moded("gray16", WIDTH, HEIGHT)
whole = wide.convert("I")
for angle in ANGLES:
    for resample in FILTERS:
        source = wide if resample == Image.NEAREST else whole
        add(numpy.asarray(source.rotate(angle, resample)), 65535)
for kind, matrix in MATRICES:
    for resample in FILTERS:
        source = wide if resample == Image.NEAREST else whole
        add(numpy.asarray(source.transform((WIDTH, HEIGHT), kind, matrix, resample)), 65535)
pixels = torch.from_numpy(numpy.asarray(whole).astype(numpy.float32))[None]
for mode in (Mode.NEAREST, Mode.BILINEAR, Mode.BICUBIC):
    moved = F.elastic(pixels, displacement(WIDTH, HEIGHT), mode, fill=[0])
    add(moved[0].round().numpy(), 65535)
for fill in FILLS:
    image = F.pil_to_tensor(noise(WIDTH, HEIGHT)).float()
    moved = F.elastic(image, displacement(WIDTH, HEIGHT), Mode.BICUBIC, fill=[float(f) for f in fill])
    add(moved.permute(1, 2, 0).round().numpy(), 255)
path = pathlib.Path(__file__).with_suffix(".bin.gz")
path.write_bytes(gzip.compress(b"".join(written), mtime=0))

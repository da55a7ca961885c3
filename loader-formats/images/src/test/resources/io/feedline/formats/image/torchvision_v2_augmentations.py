"""Writes torchvision_v2_augmentations.txt and torchvision_v2_elastic.bin.gz: what transforms of
torchvision's v2 make of PIL images with PyTorch's generator. load_torchvision_v2.py says how to run it.

Made with torch 2.13.0, torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6. A line is

    transform seed width height crc32

the picture being noise(width, height) of picture.py, and the CRC-32 that of the tensor's bytes,
floats in little-endian order, after ToTensor. The transforms are those of
TorchvisionAugmentationsTest.java, by name. Lines of other kinds are

    corners width height  x and y of four corners  a b c d e f g h
    map width height filter red green blue  a b c d e f g h  crc32
    tenCrop vertical_flip width height crop_height crop_width  ten crc32

the first with coefficients, the other two with the CRC-32 of samples. Elastically distorted pictures,
which need not be equal to the last bit, are in the other file, one after the other, in the order of
ELASTIC and DRAWN.
"""

import gzip
import pathlib
import random
import zlib

import numpy
import torch

import load_torchvision_v2

load_torchvision_v2.load()

from torchvision import transforms as v1
from torchvision.transforms import v2
from torchvision.transforms.functional import _get_perspective_coeffs
from torchvision.transforms.v2 import functional as F
from torchvision.transforms.v2 import InterpolationMode as Mode

from picture import noise

TRANSFORMS = {
    "perspective": v2.RandomPerspective(),
    "perspectiveNear": v2.RandomPerspective(0.3, 1.0, Mode.NEAREST, fill=(9, 99, 199)),
    "perspectiveFar": v2.RandomPerspective(1.0, 0.8, Mode.BICUBIC),
    "channels": v2.RandomChannelPermutation(),
    "distort": v2.RandomPhotometricDistort(),
    "distortMuch": v2.RandomPhotometricDistort((0.1, 2.0), (0.0, 3.0), (0.0, 4.0), (-0.5, 0.5), 0.9),
    "zoomOut": v2.RandomZoomOut(),
    "zoomOutFar": v2.RandomZoomOut((1, 2, 3), (2.5, 6.0), 0.7),
    "scaleJitter": v2.ScaleJitter((64, 64)),
    "scaleJitterWide": v2.ScaleJitter((80, 20), (0.5, 1.5), Mode.BICUBIC),
    "shortestSize": v2.RandomShortestSize(20),
    "shortestSizes": v2.RandomShortestSize([16, 24, 32, 40], 48, Mode.BICUBIC),
    "largeScaleJitter": v2.Compose([v2.ScaleJitter((64, 64)), v2.RandomCrop(64, pad_if_needed=True)]),
}
SIZES = [(41, 29), (30, 52)]
FILTERS = {"nearest": Mode.NEAREST, "bilinear": Mode.BILINEAR, "bicubic": Mode.BICUBIC}
TEN_CROPS = [(0, 41, 29, 20, 12), (1, 41, 29, 20, 12), (0, 30, 52, 30, 30), (1, 12, 12, 12, 12)]

# width, height, filter, red, green, blue, with displacement()
ELASTIC = [
    (41, 29, "bilinear", 0, 0, 0),
    (41, 29, "bilinear", 9, 200, 77),
    (30, 52, "nearest", 9, 200, 77),
    (1, 7, "bilinear", 255, 255, 255),
]
# width, height, alpha, sigma, seed
DRAWN = [(61, 49, 50.0, 5.0, 1), (64, 80, 300.0, 4.0, 2), (30, 20, 8.0, 0.0, 3), (60, 40, 90.0, 2.3, 4)]


def samples(image):
    return numpy.asarray(image).tobytes()


def crc(image):
    return f"{zlib.crc32(samples(image)):08x}"


def displacement(width, height):
    x = numpy.arange(width)[None, :]
    y = numpy.arange(height)[:, None]
    # By odd numbers, so that no position lies just between two pixels.
    along = [((5 * x + 3 * y) % 23 - 11) / 61, ((2 * x + 7 * y) % 19 - 9) / 37]
    return torch.tensor(numpy.stack(along, 2)[None], dtype=torch.float32)


def corners(rng):
    for _ in range(60):
        width, height = rng.randint(2, 600), rng.randint(2, 600)
        torch.manual_seed(rng.getrandbits(32))
        start, end = v1.RandomPerspective.get_params(width, height, rng.choice([0.2, 0.5, 0.8]))
        yield width, height, start, end


lines = []
for name, transform in TRANSFORMS.items():
    for seed in range(24):
        width, height = SIZES[seed % 2]
        torch.manual_seed(seed)
        tensor = v1.ToTensor()(transform(noise(width, height)))
        lines.append(f"{name} {seed} {width} {height} {zlib.crc32(tensor.contiguous().numpy().tobytes()):08x}\n")

for width, height, start, end in corners(random.Random(11)):
    words = [width, height, *(c for corner in end for c in corner), *_get_perspective_coeffs(start, end)]
    lines.append("corners " + " ".join(str(word) for word in words) + "\n")

rng = random.Random(12)
for width, height in ((41, 29), (1, 7), (256, 64)):
    for filter, mode in FILTERS.items():
        for skew in (0.0, 1e-4, 5e-3, 0.1):
            c = [1.1 + skew, -skew * 9, 1.5, skew * 7, 0.9, -2.25, skew, -skew / 3]
            fill = [rng.randrange(256) for _ in range(3)]
            result = F.perspective(noise(width, height), None, None, mode, fill, coefficients=c)
            words = " ".join(str(word) for word in ("map", width, height, filter, *fill, *c))
            lines.append(f"{words} {crc(result)}\n")

for vertical, width, height, h, w in TEN_CROPS:
    parts = v2.TenCrop((h, w), bool(vertical))(noise(width, height))
    lines.append(f"tenCrop {vertical} {width} {height} {h} {w} {' '.join(crc(part) for part in parts)}\n")

here = pathlib.Path(__file__)
here.with_suffix(".txt").write_text("".join(lines))

elastic = [
    samples(F.elastic(noise(w, h), displacement(w, h), FILTERS[filter], [r, g, b]))
    for w, h, filter, r, g, b in ELASTIC
]
for width, height, alpha, sigma, seed in DRAWN:
    torch.manual_seed(seed)
    elastic.append(samples(v2.ElasticTransform(alpha, sigma)(noise(width, height))))
here.with_name("torchvision_v2_elastic.bin.gz").write_bytes(gzip.compress(b"".join(elastic), 9, mtime=0))

"""Writes torchvision_v2_rest.txt: what JPEG, RandomResize, RandomOrder, SanitizeKeyPoints,
LinearTransformation and GaussianNoise of torchvision's v2 make of things, with PyTorch's generator.
load_torchvision_v2.py says how to run it.

Made with torch 2.13.0, torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6. Pictures are
noise(width, height) and picture(width, height) of picture.py. Lines are

    jpeg picture seed min max width height  crc32_of_file crc32_of_pixels
    resize seed min max filter width height  new_width new_height crc32_of_pixels
    order seed transforms  the order, joined by commas
    points per_object width height  numbers kept  joined by commas, - for none
    linear seed width height  outputs joined by commas
    dtype name crc32_of_elements
    noise mean sigma  the mean and the deviation of what is added to a gray of 128

JPEG's files are those that Pillow writes for its own transform. The picture of dtype is a gray one, with all values
in order, of 16 x 16 pixels. The matrix of linear has
((7 * i + 3 * j + seed) % 23 - 11) / 64 in row i and column j, its mean (i % 5) / 8 at i.
"""

import io
import pathlib
import random
import zlib

import numpy
import torch

import load_torchvision_v2

load_torchvision_v2.load()

from torchvision import tv_tensors
from torchvision.transforms import v2
from torchvision.transforms.v2 import InterpolationMode as Mode

import picture

lines = []


def add(kind, *values):
    lines.append(" ".join([kind, *map(str, values)]) + "\n")


def joined(values):
    return ",".join(str(value) for value in values) or "-"


SIZES = [(1, 1), (2, 3), (8, 8), (9, 7), (16, 16), (17, 16), (16, 17), (24, 40), (33, 25), (70, 51), (131, 97)]
draws = random.Random(7)
for name in ("noise", "picture"):
    for width, height in SIZES:
        for low, high in ((1, 100), (75, 75), (100, 100), (1, 1), (40, 60)):
            seed = draws.randrange(1000)
            image = getattr(picture, name)(width, height)
            torch.manual_seed(seed)
            quality = torch.randint(low, high + 1, ()).item()
            file = io.BytesIO()
            image.save(file, format="JPEG", quality=quality)
            torch.manual_seed(seed)
            result = v2.JPEG((low, high))(image)
            add("jpeg", name, seed, low, high, width, height,
                zlib.crc32(file.getvalue()), zlib.crc32(result.tobytes()))

for seed, (low, high, mode, width, height) in enumerate([
    (5, 40, Mode.BILINEAR, 40, 30),
    (5, 40, Mode.BILINEAR, 30, 40),
    (20, 21, Mode.BICUBIC, 33, 25),
    (1, 80, Mode.HAMMING, 64, 64),
    (1, 80, Mode.NEAREST, 50, 20),
    (1, 80, Mode.NEAREST_EXACT, 50, 20),
]):
    torch.manual_seed(seed)
    result = v2.RandomResize(low, high, interpolation=mode)(picture.noise(width, height))
    name = "NEAREST" if mode == Mode.NEAREST_EXACT else mode.name
    add("resize", seed, low, high, name, width, height, *result.size, zlib.crc32(result.tobytes()))

for seed in range(20):
    count = 1 + seed % 7
    torch.manual_seed(seed)
    order = v2.RandomOrder([(lambda i: lambda seen: seen + [i])(i) for i in range(count)])([])
    add("order", seed, count, joined(order))

for per_object in (0, 1, 3):
    for case in range(4):
        width, height = 20 + case, 15 - case
        shape = (12, 2) if per_object == 0 else (12 // per_object, per_object, 2)
        generator = numpy.random.default_rng(case)
        points = generator.integers(-1, 2 * width, shape).astype(numpy.float32) / 2
        points.reshape(-1)[:4] = [0, 0, width, height - 1]
        keypoints = tv_tensors.KeyPoints(torch.from_numpy(points), canvas_size=(height, width))
        kept = v2.SanitizeKeyPoints()(keypoints)
        add("points", per_object, width, height, joined(points.flatten().tolist()),
            joined(kept.flatten().tolist()))

for seed, (width, height) in enumerate([(1, 1), (4, 3), (7, 5)]):
    size = 3 * width * height
    i = torch.arange(size)
    matrix = ((7 * i[:, None] + 3 * i[None, :] + seed) % 23 - 11).float() / 64
    image = v2.functional.to_dtype(v2.functional.pil_to_tensor(picture.noise(width, height)), torch.float32, scale=True)
    result = v2.LinearTransformation(matrix, (i % 5).float() / 8)(image)
    add("linear", seed, width, height, joined(result.flatten().tolist()))

gray = torch.arange(256, dtype=torch.uint8).reshape(1, 16, 16).expand(3, 16, 16)
for dtype in (torch.float16, torch.bfloat16):
    halves = v2.ToDtype(dtype, scale=True)(tv_tensors.Image(gray)).contiguous()
    elements = halves.view(torch.int16).numpy().astype("<i2")
    add("dtype", {torch.float16: "FLOAT16", torch.bfloat16: "BFLOAT16"}[dtype], zlib.crc32(elements.tobytes()))

for mean, sigma in ((0.0, 0.1), (0.2, 0.05), (-0.3, 0.0), (0.0, 0.02)):
    torch.manual_seed(1)
    gray = torch.full((3, 300, 300), 128, dtype=torch.uint8)
    added = v2.GaussianNoise(mean, sigma)(gray).double() - 128
    add("noise", mean, sigma, added.mean().item(), added.std().item())

pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

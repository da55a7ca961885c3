"""Writes torchvision_tensors.txt: tensors at the end of whole pipelines. Run: python3 torchvision_tensors.py

Made with torch 1.13.0, torchvision 0.14.1 and Pillow 9.4.0. A line is

    pipeline seed width height arguments...  crc32

the CRC-32 being that of the tensor's bytes, floats in little-endian order. The pipelines are those
of ReferenceImagesTest.java, by name.
"""

import pathlib
import zlib

import torch
from torchvision import transforms as T
from torchvision.transforms import functional as F

from picture import picture

NORMALIZE = T.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225])
SIZES = [(500, 375), (375, 500), (300, 300), (640, 480), (97, 211), (224, 224), (1000, 31)]
SMALL = [(100, 80), (81, 300), (300, 77), (1, 1), (223, 225), (225, 223), (224, 224), (500, 333)]

PIPELINES = {
    "train": lambda size: T.Compose(
        [T.RandomResizedCrop(size), T.RandomHorizontalFlip(), T.ToTensor(), NORMALIZE]
    ),
    "bicubic": lambda size: T.Compose(
        [
            T.RandomHorizontalFlip(),
            T.RandomResizedCrop(size, interpolation=T.InterpolationMode.BICUBIC),
            T.ToTensor(),
        ]
    ),
    "validate": lambda resize, crop: T.Compose(
        [T.Resize(resize), T.CenterCrop(crop), T.ToTensor(), NORMALIZE]
    ),
    "limited": lambda resize, limit: T.Compose(
        [T.Resize(resize, max_size=limit), T.ToTensor(), NORMALIZE]
    ),
    "center": lambda height, width: T.Compose([T.CenterCrop((height, width)), T.ToTensor(), NORMALIZE]),
    "channelsLast": lambda size: T.Compose(
        [
            T.RandomResizedCrop(size),
            T.RandomHorizontalFlip(),
            T.ToTensor(),
            NORMALIZE,
            lambda tensor: tensor.permute(1, 2, 0),
        ]
    ),
    "bytes": lambda size: T.Compose(
        [T.RandomResizedCrop(size), T.RandomHorizontalFlip(), T.PILToTensor()]
    ),
    "bytesChannelsLast": lambda size: T.Compose(
        [
            T.RandomResizedCrop(size),
            T.RandomHorizontalFlip(),
            T.PILToTensor(),
            lambda tensor: tensor.permute(1, 2, 0),
        ]
    ),
    # Steps that cannot be folded into one pass.
    "twice": lambda first, second: T.Compose(
        [
            T.Resize(first),
            T.RandomHorizontalFlip(1.0),
            T.CenterCrop(first + 9),
            T.RandomResizedCrop(second),
            T.CenterCrop(second - 20),
            T.CenterCrop(second + 11),
            T.ToTensor(),
            NORMALIZE,
        ]
    ),
}


def cases():
    for seed, size in enumerate(SIZES * 2):
        yield "train", seed, size, (224,)
        yield "train", seed, size, (64,)
    for seed, size in enumerate(SIZES):
        for name in ("bicubic", "channelsLast", "bytes", "bytesChannelsLast"):
            yield name, seed + 100, size, (96,)
        yield "twice", seed, size, (120, 70)
    for size in SIZES + SMALL:
        yield "validate", 0, size, (256, 224)
        yield "center", 0, size, (224, 224)
        yield "center", 0, size, (101, 300)
    yield "validate", 0, (60, 50), (40, 71)
    for size in SIZES:
        yield "limited", 0, size, (100, 130)
        yield "limited", 0, size, (64, 1000)


lines = []
for name, seed, (width, height), arguments in cases():
    torch.manual_seed(seed)
    tensor = PIPELINES[name](*arguments)(picture(width, height))
    crc = zlib.crc32(tensor.contiguous().numpy().tobytes())
    words = " ".join(str(a) for a in arguments)
    lines.append(f"{name} {seed} {width} {height} {words} {crc:08x}\n")
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

"""Writes modes_operations.txt: what torchvision's functional interface makes of PIL images that are not RGB.

Made with torch 2.13.0, torchvision 0.28.0 (its Python half), Pillow 12.3.0 and NumPy 2.4. A line is

    operation mode width height arguments...  result_width result_height crc32

the picture being moded(mode, width, height) of picture.py, and the CRC-32 that of the result's samples. The operations
are those of TorchvisionOperationsTest.java, by name.
"""

import pathlib
import random
import re
import sys
import zlib

import numpy
import torch
from PIL import Image

_LIBRARY = torch.library.Library("torchvision", "DEF")
while "torchvision" not in sys.modules:
    # The wheel's C++ half does not load with every torch; none of it is needed here.
    try:
        import torchvision
    except RuntimeError as error:
        _LIBRARY.define(re.search(r"torchvision::(\w+) does not", str(error)).group(1) + "(Tensor x) -> Tensor")
        for name in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[name]

from torchvision.transforms import InterpolationMode as Mode  # noqa: E402
from torchvision.transforms.v2 import functional as F  # noqa: E402

from picture import moded  # noqa: E402

SIZES = [(41, 29), (2, 5), (1, 1), (64, 64)]
FILTERS = {"nearest": Mode.NEAREST, "box": Mode.BOX, "bilinear": Mode.BILINEAR, "bicubic": Mode.BICUBIC,
           "lanczos": Mode.LANCZOS}


def resize(image, filter, width, height):
    return F.resize(image, [height, width], FILTERS[filter])


def crop(image, x, y, width, height):
    return F.crop(image, y, x, height, width)


def rotate(image, filter, angle, expand, fill):
    return F.rotate(image, angle, FILTERS[filter], bool(expand), None, [fill] * len(image.getbands()))


def pad(image, mode, left, top, right, bottom, fill):
    return F.pad(image, [left, top, right, bottom], fill, mode)


def gray(image, channels):
    return F.rgb_to_grayscale(image, channels)


def resize_middle(image, filter, width, height):
    """Of values that no filter takes out of 16 bits, where Pillow overflows; see WideKernels."""
    middle = numpy.asarray(image) // 4 + 24576
    return resize(Image.fromarray(middle), filter, width, height)


OPERATIONS = {
    "resize_middle": resize_middle,
    "resize": resize,
    "crop": crop,
    "hflip": F.hflip,
    "vflip": F.vflip,
    "rotate": rotate,
    "pad": pad,
    "brightness": F.adjust_brightness,
    "contrast": F.adjust_contrast,
    "saturation": F.adjust_saturation,
    "sharpness": F.adjust_sharpness,
    "hue": F.adjust_hue,
    "posterize": F.posterize,
    "solarize": F.solarize,
    "invert": F.invert,
    "autocontrast": F.autocontrast,
    "equalize": F.equalize,
    "grayscale": gray,
}


def cases():
    rng = random.Random(20261122)
    for mode in ("gray", "rgba", "gray16"):
        for size in SIZES:
            for filter in FILTERS:
                for target in ((41, 29), (20, 17), (7, 60), (90, 5), (1, 1)):
                    if mode != "gray16" or filter in ("nearest", "box", "bilinear"):
                        yield "resize", mode, size, (filter, *target)
                    else:
                        yield "resize_middle", mode, size, (filter, *target)
            for part in ((0, 0, 1, 1), (-3, -2, 9, 8), (1, 2, 30, 30)):
                yield "crop", mode, size, part
            yield "hflip", mode, size, ()
            yield "vflip", mode, size, ()
            for padding in ("constant", "edge", "reflect", "symmetric"):
                if min(size) > 4 or padding != "reflect":
                    yield "pad", mode, size, (padding, 1, 2, 1, 0, 0)
            for filter in ("nearest", "bilinear", "bicubic"):
                if mode != "gray16" or filter == "nearest":
                    for angle in (90.0, 180.0, 17.3, -133.7):
                        for expand in (0, 1):
                            yield "rotate", mode, size, (filter, angle, expand, 0)
    for size in SIZES:
        yield "pad", "gray", size, ("constant", 1, 2, 3, 4, 200)
        for filter in ("nearest", "bilinear"):
            yield "rotate", "gray", size, (filter, 33.0, 1, 77)
        for factor in (0.0, 0.5, 0.75, 1.0, 1.3, 2.0):
            for name in ("brightness", "contrast", "saturation", "sharpness"):
                yield name, "gray", size, (factor,)
                yield name, "rgba", size, (factor,)
        for hue in (-0.3, 0.1, 0.5):
            yield "hue", "gray", size, (hue,)
        for bits in (1, 4, 8):
            yield "posterize", "gray", size, (bits,)
        yield "solarize", "gray", size, (128.0,)
        for name in ("invert", "autocontrast", "equalize"):
            yield name, "gray", size, ()
        for channels in (1, 3):
            for mode in ("gray", "rgb", "rgba"):
                yield "grayscale", mode, size, (channels,)


here = pathlib.Path(__file__)
lines = []
for name, mode, size, arguments in cases():
    result = OPERATIONS[name](moded(mode, *size), *arguments)
    words = " ".join(str(word) for word in (name, mode, *size, *arguments, *result.size))
    lines.append(f"{words} {zlib.crc32(numpy.asarray(result).tobytes()):08x}\n")
here.with_suffix(".txt").write_text("".join(lines))

"""Writes torchvision_operations.txt and gaussian_blur.bin.gz: what torchvision's functional
interface, v2, makes of PIL images. load_torchvision_v2.py says how to run it.

Made with torch 2.13.0, torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6. A line is

    operation width height arguments...  result_width result_height crc32

the picture being noise(width, height) of picture.py, and the CRC-32 that of the result's samples.
The operations are those of TorchvisionOperationsTest.java, by name. Blurred pictures, which need
not be equal to the last bit, are in the other file, one after the other, in the order of BLURS.
"""

import gzip
import pathlib
import zlib

import numpy

import load_torchvision_v2

load_torchvision_v2.load()

from torchvision.transforms import InterpolationMode as Mode
from torchvision.transforms.v2 import functional as F

from picture import noise

SIZES = [(41, 29), (2, 5), (1, 1), (256, 256)]
FACTORS = [0.0, 0.1, 0.5, 0.7500000000000001, 1.0, 1.3, 1.9, 2.0, 7.5]
FILTERS = {"nearest": Mode.NEAREST, "bilinear": Mode.BILINEAR, "bicubic": Mode.BICUBIC}
# width, height, kernel width, kernel height, sigma
BLURS = [(41, 29, 3, 3, 0.1), (41, 29, 5, 5, 0.8), (41, 29, 23, 23, 1.7), (41, 29, 3, 9, 2.0),
         (41, 29, 55, 1, 9.5), (41, 29, 1, 1, 1.0), (12, 30, 23, 7, 40.0)]


def affine(image, filter, cx, cy, angle, tx, ty, scale, sx, sy, r, g, b):
    center = None if cx < 0 else [cx, cy]
    return F.affine(image, angle, [tx, ty], scale, [sx, sy], FILTERS[filter], [r, g, b], center)


def rotate(image, filter, angle, expand, cx, cy, r, g, b):
    center = None if cx < 0 else [cx, cy]
    return F.rotate(image, angle, FILTERS[filter], bool(expand), center, [r, g, b])


def pad(image, mode, left, top, right, bottom, r, g, b):
    return F.pad(image, [left, top, right, bottom], (r, g, b), mode)


OPERATIONS = {
    "brightness": F.adjust_brightness,
    "contrast": F.adjust_contrast,
    "saturation": F.adjust_saturation,
    "hue": F.adjust_hue,
    "sharpness": F.adjust_sharpness,
    "posterize": F.posterize,
    "solarize": F.solarize,
    "grayscale": lambda image: F.rgb_to_grayscale(image, 3),
    "invert": F.invert,
    "autocontrast": F.autocontrast,
    "equalize": F.equalize,
    "vflip": F.vflip,
    "rotate": rotate,
    "affine": affine,
    "pad": pad,
}


def cases():
    for size in SIZES:
        for factor in FACTORS:
            for name in ("brightness", "contrast", "saturation", "sharpness"):
                yield name, size, (factor,)
        for hue in (-0.5, -0.37, -0.1, -0.002, 0.0, 0.004, 0.1, 0.25, 0.499, 0.5):
            yield "hue", size, (hue,)
        for bits in range(9):
            yield "posterize", size, (bits,)
        for threshold in (0.0, 1.0, 100.5, 128.0, 255.0, 256.0):
            yield "solarize", size, (threshold,)
        for name in ("grayscale", "invert", "autocontrast", "equalize", "vflip"):
            yield name, size, ()
    for size in ((3, 3), (600, 2), (40, 60)):
        for name in ("autocontrast", "equalize"):
            yield name, size, ()
    for size in ((41, 29), (30, 30), (1, 7)):
        for filter in FILTERS:
            for angle in (0.0, 90.0, 180.0, 270.0, -90.0, 17.3, -45.0, 133.7, 359.99, 1e-05, 720.0):
                for expand in (0, 1):
                    yield "rotate", size, (filter, angle, expand, -1, -1, 0, 0, 0)
            yield "rotate", size, (filter, 90.0, 0, 3, 5, 255, 0, 128)
            yield "rotate", size, (filter, 33.0, 1, 12, 9, 1, 2, 3)
            for one in (
                (0.0, 0, 0, 1.0, 0.0, 0.0),
                (0.0, 5, -3, 1.0, 0.0, 0.0),
                (0.0, 0, 0, 0.7, 0.0, 0.0),
                (0.0, 2, 1, 1.9, 0.0, 0.0),
                (25.0, 0, 0, 1.0, 0.0, 0.0),
                (-71.25, 4, 9, 1.3, 12.5, -7.0),
                (180.0, 0, 0, 1.0, 0.0, 0.0),
                (90.0, 0, 0, 1.0, 0.0, 0.0),
                (0.0, 0, 0, 1.0, 16.7, 0.0),
                (0.0, 0, 0, 1.0, 0.0, -16.7),
                (10.0, 0, 0, 0.0004, 3.0, 4.0),
            ):
                yield "affine", size, (filter, -1, -1, *one, 0, 0, 0)
                yield "affine", size, (filter, 0, 0, *one, 9, 200, 77)
    for size in ((41, 29), (1, 1), (3, 2)):
        for mode in ("constant", "edge", "reflect", "symmetric"):
            for fill in ((0, 0, 0), (12, 255, 3)):
                yield "pad", size, (mode, 1, 1, 1, 1, *fill)
                yield "pad", size, (mode, 0, 2, 1, 0, *fill)
                if size == (41, 29):
                    yield "pad", size, (mode, 20, 11, 5, 28, *fill)


def samples(image):
    return numpy.asarray(image).tobytes()


here = pathlib.Path(__file__)
lines = []
for name, size, arguments in cases():
    result = OPERATIONS[name](noise(*size), *arguments)
    words = " ".join(str(word) for word in (name, *size, *arguments, *result.size))
    lines.append(f"{words} {zlib.crc32(samples(result)):08x}\n")
here.with_suffix(".txt").write_text("".join(lines))

blurred = b"".join(
    samples(F.gaussian_blur(noise(w, h), [kw, kh], [sigma, sigma])) for w, h, kw, kh, sigma in BLURS
)
here.with_name("gaussian_blur.bin.gz").write_bytes(gzip.compress(blurred, 9, mtime=0))

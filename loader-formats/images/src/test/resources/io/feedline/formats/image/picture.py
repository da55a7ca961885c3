"""The pictures of the tests, made by arithmetic here and in TestPicture.java alike."""

import numpy
from PIL import Image


def picture(width, height):
    """Smooth slopes, hard edges where the values wrap, and a checkerboard."""
    x = numpy.arange(width, dtype=numpy.int64)[None, :, None]
    y = numpy.arange(height, dtype=numpy.int64)[:, None, None]
    c = numpy.arange(3, dtype=numpy.int64)[None, None, :]
    value = x * (3 + c) + y * (5 - c) + c * 71 + ((x * y) >> 3) + (((x >> 2) ^ (y >> 3)) & 1) * 90
    return Image.fromarray((value & 255).astype(numpy.uint8), "RGB")


def noise(width, height):
    """Slopes of three different colours under noise; all colours come in a large one."""
    x = numpy.arange(width, dtype=numpy.int64)[None, :, None]
    y = numpy.arange(height, dtype=numpy.int64)[:, None, None]
    c = numpy.arange(3, dtype=numpy.int64)[None, None, :]
    hashed = (((y * width + x) * 3 + c + 1) * 2654435761) & 0xFFFFFFFF
    hashed = ((hashed ^ (hashed >> 15)) * 2246822519) & 0xFFFFFFFF
    slope = (x * (c + 1) + y * (3 - c)) * 2 & 255
    return Image.fromarray(((3 * (hashed >> 24) + slope) // 4).astype(numpy.uint8), "RGB")


def moded(mode, width, height):
    """Noise in a mode, by Feedline's name of it; alpha is 0 and 255 in many places."""
    image = noise(width, height)
    if mode == "gray":
        return image.convert("L")
    if mode == "gray16":
        samples = numpy.asarray(image).astype(numpy.uint16)
        return Image.fromarray(samples[:, :, 0] << 8 | samples[:, :, 1])
    if mode == "rgba":
        alpha = numpy.asarray(image).astype(numpy.int64)[:, :, 2] * 2 - 128
        image.putalpha(Image.fromarray(alpha.clip(0, 255).astype(numpy.uint8)))
    return image

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

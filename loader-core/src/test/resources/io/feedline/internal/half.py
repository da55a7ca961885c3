"""Writes half.txt: the CRC-32 of what PyTorch casts floats to, with half() and bfloat16().

Made with torch 2.13.0 and NumPy 2.4.6. The floats have each upper half of 16 bits, in ascending
order, with one of the lower halves of LOWER, so that ties, values beside them, subnormal numbers
and overflows come; those that are no numbers are left out, for which PyTorch's result depends on
the processor. A line is

    lower half  crc32 of FLOAT16  crc32 of BFLOAT16

with elements in little-endian order.

    python3 half.py
"""

import pathlib
import zlib

import numpy
import torch

LOWER = [0, 1, 0x0FFF, 0x1000, 0x1001, 0x2000, 0x3000, 0x7FFF, 0x8000, 0x8001, 0xABCD, 0xF000, 0xFFFF]


def crc(tensor):
    return zlib.crc32(tensor.view(torch.int16).numpy().astype("<i2").tobytes())


lines = []
for lower in LOWER:
    bits = (numpy.arange(1 << 16, dtype=numpy.uint32) << 16) | lower
    floats = bits.view(numpy.float32)
    floats = torch.from_numpy(floats[~numpy.isnan(floats)].copy())
    lines.append(f"{lower} {crc(floats.half())} {crc(floats.bfloat16())}\n")
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

"""Writes the masks of MaskTest: mask_KIND_BITS.SUFFIX, 19 x 11, with the ids (3 x + 5 y) mod 2^bits.

Run: python3 make_masks.py. Made with Pillow 12.3.0 and NumPy 2.4.6. Pillow does not write gray PNGs of
2 and 4 bits, with alpha or interlaced ones; those are put together here.
"""

import pathlib
import struct
import zlib

import numpy as np
from PIL import Image

WIDTH, HEIGHT = 19, 11
HERE = pathlib.Path(__file__).parent
# VOC's colors: the second and third have the grays 38 and 75.
COLORS = [v for i in range(256) for v in ((i & 1) * 128, (i >> 1 & 1) * 128, (i >> 2 & 1) * 128)]


def ids(bits):
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    return (3 * x + 5 * y) * (257 if bits == 16 else 1) % (1 << bits)


def packed(row, bits):
    text = "".join(format(int(v), f"0{bits}b") for v in row)
    text += "0" * (-len(text) % 8)
    return int(text, 2).to_bytes(len(text) // 8, "big")


def png(name, bits, kind, values, interlaced=False):
    """kind is PNG's color type; values are the samples of a pixel."""

    def chunk(tag, data):
        return struct.pack(">I", len(data)) + tag + data + struct.pack(">I", zlib.crc32(tag + data))

    passes = [(0, 0, 1, 1)]
    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    rows = b""
    for x, y, dx, dy in passes:
        part = values[y::dy, x::dx]
        if part.size:
            for row in part.reshape(part.shape[0], -1):
                rows += b"\0" + packed(row, bits)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, bits, kind, 0, 0, int(interlaced))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    if kind == 3:
        data += chunk(b"PLTE", bytes(COLORS[: 3 << bits]))
    data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    (HERE / name).write_bytes(data)


for bits in (1, 2, 4, 8):
    image = Image.fromarray(ids(bits).astype(np.uint8))
    image.putpalette(COLORS)
    image.save(HERE / f"mask_palette_{bits}.png", bits=bits)
    png(f"mask_gray_{bits}.png", bits, 0, ids(bits))
Image.fromarray(ids(16).astype(np.uint16)).save(HERE / "mask_gray_16.png")
alpha = np.full((HEIGHT, WIDTH), 77)
png("mask_alpha_8.png", 8, 4, np.stack([ids(8), alpha], -1))
png("mask_alpha_16.png", 16, 4, np.stack([ids(16), alpha], -1))
png("mask_interlaced_4.png", 4, 3, ids(4), interlaced=True)
image = Image.fromarray(ids(8).astype(np.uint8))
image.save(HERE / "mask_gray_8.tif", compression="tiff_lzw")
image.save(HERE / "mask_gray_8.jpg")
image.putpalette(COLORS)
image.save(HERE / "mask_palette_8.tif", compression="tiff_adobe_deflate")
image.save(HERE / "mask_palette_8.bmp")
Image.fromarray(ids(16).astype(np.uint16)).save(HERE / "mask_gray_16.tif")
whole = ids(16) * 200
image = Image.fromarray(np.stack([whole >> s & 255 for s in (0, 8, 16)], -1).astype(np.uint8))
image.save(HERE / "mask_colors_24.png")

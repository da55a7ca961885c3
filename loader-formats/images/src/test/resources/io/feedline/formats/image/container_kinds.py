#!/usr/bin/env python3
"""Writes PNG, GIF and TIFF files of seldom kinds into the folders png, gif and tiff, for reported_kinds.py.

    python3 container_kinds.py FOLDER     (Pillow 12.3.0)

PNGs have palettes that RGB does not need, split IDAT chunks, and chunks between them; GIFs have other
canvases than their frames, and damage; TIFFs have more strips or tiles than needed, and byte counts
that are 0 or missing. Kinds that differ from Pillow on purpose are left out: palette images with an
empty palette, and a checksum of zlib in an IDAT of its own.
"""

import io
import os
import random
import struct
import sys
import zlib

from PIL import Image

r = random.Random(4)
number = 0


def put(name, data, keep=True):
    global number
    folder = os.path.join(sys.argv[1], {"png": "png", "gif": "gif", "tif": "tiff"}[name[-3:]])
    os.makedirs(folder, exist_ok=True)
    if keep:
        with open(os.path.join(folder, "%04d_%s" % (number, name)), "wb") as out:
            out.write(data)
    number += 1


def picture(width, height, mode="RGB"):
    image = Image.new("RGB", (width, height))
    step = r.randrange(1, 99)
    image.putdata([((x * 11 + step) % 256, x * 7 % 256, x * step % 256) for x in range(width * height)])
    if mode == "P":
        return image.quantize(r.choice([2, 3, 5, 16, 17, 100, 256]))
    return image.convert(mode)


def encoded(image, form, **options):
    out = io.BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


def chunk(kind, content):
    return struct.pack(">L", len(content)) + kind + content + struct.pack(">L", zlib.crc32(kind + content))


def idat(content):
    return chunk(b"IDAT", content)


def pngs(mode):
    png = encoded(picture(19, 13, mode), "PNG")
    at = png.find(b"IDAT") - 4
    (length,) = struct.unpack(">L", png[at : at + 4])
    head, rows, tail = png[:at], png[at + 8 : at + 8 + length], png[at + 12 + length :]
    text = chunk(b"tEXt", b"a\0b")
    half = len(rows) // 2
    for size in (0, 3, 6, 9, 768, 771, 900, 1):
        palette = head + chunk(b"PLTE", bytes(size)) + png[at:]
        put("%s_plte%d.png" % (mode, size), palette, not (mode == "P" and size < 2))
    for name, middle in {
        "split": idat(rows[:half]) + idat(rows[half:]),
        "mid": idat(rows[:half]) + text + idat(rows[half:]),
        "after": idat(rows) + text + idat(b""),
        "after2": idat(rows) + text + idat(rows),
        "tail": idat(rows[:-4]) + text + idat(rows[-4:]),
        "empty": idat(b"") + idat(rows),
        "unk": chunk(b"abCd", b"xyz") + idat(rows),
        "plteafter": idat(rows) + chunk(b"PLTE", bytes(6)),
        "idat0mid": idat(rows[:half]) + idat(b"") + idat(rows[half:]),
    }.items():
        put("%s_%s.png" % (mode, name), head + middle + tail, name != "tail")


def gif():
    width, height = r.randrange(1, 60), r.randrange(1, 40)
    mode = r.choice(["P", "P", "L", "1"])
    options = {}
    if r.random() < 0.4:
        options["interlace"] = r.randrange(2)
    if r.random() < 0.3:
        options["transparency"] = r.randrange(4)
    if r.random() < 0.3:
        frames = [picture(width, height, "P"), picture(width, height, "P")]
        options.update(save_all=True, append_images=frames, duration=100, loop=0)
    if r.random() < 0.2:
        options["comment"] = b"hello" * 100
    return encoded(picture(width, height, mode), "GIF", **options)


def damaged(data):
    kind = r.randrange(5)
    if kind == 0:
        return data[: r.randrange(1, len(data))]
    if kind == 1:
        data[r.randrange(len(data))] ^= 1 << r.randrange(8)
    elif kind == 2:
        at = r.randrange(len(data))
        data[at:at] = bytes(r.randrange(256) for _ in range(r.randrange(1, 4)))
    elif kind == 3:
        del data[r.randrange(len(data))]
    else:
        data[-1:] = b""
    return data


def put_gif(name, data):
    put(name, bytes(data), number % 4 == 0)


def gifs():
    sound = []
    for _ in range(40):
        sound.append(gif())
        put_gif("sound.gif", sound[-1])
    for each in sound:
        data = bytearray(each)
        width, height = struct.unpack("<HH", data[6:10])
        data[6:10] = struct.pack("<HH", width + r.randrange(0, 9), height + r.randrange(0, 9))
        put_gif("canvas.gif", data)
        data[6:10] = struct.pack("<HH", max(1, width - 3), max(1, height - 2))
        put_gif("small.gif", data)
    for _ in range(500):
        data = damaged(bytearray(r.choice(sound)))
        width, height = struct.unpack("<HH", data[6:10]) if len(data) > 10 else (1, 1)
        if width * height < 200000:
            put_gif("mut.gif", data)


def directory(entries):
    """A TIFF's header and directory, which parts follow."""
    first = 8 + 2 + 12 * len(entries) + 4
    fields, values = b"", b""
    for tag, kind, numbers in sorted(entries):
        value = struct.pack("<%d%s" % (len(numbers), {3: "H", 4: "L"}[kind]), *numbers)
        if len(value) > 4:
            values, value = values + value, struct.pack("<L", first + len(values))
        fields += struct.pack("<HHL", tag, kind, len(numbers)) + (value + b"\0\0\0\0")[:4]
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(entries)) + fields + b"\0\0\0\0" + values


def tiff(width, height, compression, tiled, extra, zero, without_counts, strips):
    needed = (width + 15) // 16 * ((height + 15) // 16) if tiled else strips
    rows = (height + strips - 1) // strips
    parts = []
    for i in range(needed + extra):
        pixels = 16 * 16 if tiled else width * (min(rows, height - i * rows) if i < needed else 1)
        part = bytes(r.randrange(256) for _ in range(pixels * 3))
        parts.append(zlib.compress(part) if compression == 8 else part)
    counts = [0 if zero else len(part) for part in parts]
    shape = [(322, 3, [16]), (323, 3, [16])] if tiled else [(278, 3, [rows])]
    offset_tag, count_tag = (324, 325) if tiled else (273, 279)

    def entries(offsets):
        fixed = [(256, width), (257, height), (259, compression), (262, 2), (277, 3), (284, 1)]
        made = [(tag, 3, [value]) for tag, value in fixed] + [(258, 3, [8, 8, 8])] + shape
        made.append((offset_tag, 4, offsets))
        return made if without_counts else made + [(count_tag, 4, counts)]

    at = len(directory(entries([0] * len(parts))))
    offsets = []
    for part in parts:
        offsets.append(at)
        at += len(part)
    return directory(entries(offsets)) + b"".join(parts)


for each in ("RGB", "RGBA", "L", "LA", "P"):
    pngs(each)
gifs()
for compression in (1, 8):
    for tiled in (0, 1):
        for extra in (0, 1, 2):
            for zero in (0, 1):
                for without_counts in (0, 1):
                    for strips in (1,) if tiled else (1, 3):
                        name = "c%dt%dx%dz%dd%ds%d" % (
                            compression,
                            tiled,
                            extra,
                            zero,
                            without_counts,
                            strips,
                        )
                        kind = (compression, tiled, extra, zero, without_counts, strips)
                        put(name + ".tif", tiff(33, 20, *kind), False)
                        put(name + "_.tif", tiff(16, 16, *kind), compression == 8)

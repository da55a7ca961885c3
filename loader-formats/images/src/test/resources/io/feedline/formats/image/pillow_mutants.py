#!/usr/bin/env python3
"""Damages pictures at random, and writes down what Pillow makes of each.

    python3 pillow_mutants.py KIND COUNT SEED OUT.gz     (Pillow 9.4.0, libtiff 4.5.0, libwebp 1.2.4, zlib 1.2.13)
    python3 pillow_mutants.py fixtures                   makes pillow_mutants.gz, which the tests read

KIND is jpeg, png, tiff, webp, bmp, pnm, or foreign for other TIFFs; the same seed makes the same pictures. PillowMutantsTest compares them with our
decoders. The file holds for each picture, numbers in big-endian order of 4 bytes: the length of its name and its name,
the length of its bytes and its bytes, the width and the height that Pillow decodes it to (0 where it refuses), the
CRC-32 of those pixels as RGB, and the CRC-32 of the pixels before the damage.

Three things are not Pillow 9.4's: 16-bit gray becomes its upper 8 bits, which Pillow would clip to white; what has signed, 32-bit or floating-point samples counts as refused. Run-length encoded BMPs
are read as by Pillow 12, where two faults are mended: skipped pixels, and odd numbers of single pixels of 4 bits.
"""
import gzip
import inspect
import io
import os
import random
import struct
import sys
import textwrap
import warnings
import zlib

import numpy as np
from PIL import BmpImagePlugin, Image

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))

# The decoder of run-length encoded BMPs, mended.
code = textwrap.dedent(inspect.getsource(BmpImagePlugin.BmpRleDecoder.decode))
for old, new in [("right, up = self.fd.read(2)", "right, up = bytes_read"),
                 ("byte_count = byte[0] // 2", "byte_count = (byte[0] + 1) // 2"),
                 ("x += byte[0]", "data[len(data):] = [data.pop()] * (1 - (rle4 and byte[0] & 1)); x += byte[0]")]:
    assert code.count(old) == 1
    code = code.replace(old, new)
exec(code, vars(BmpImagePlugin))
BmpImagePlugin.BmpRleDecoder.decode = BmpImagePlugin.decode

KINDS = ["png", "tiff", "webp", "bmp", "pnm"]

# The limit that the Java side decodes with.
MOST_PIXELS = 1 << 20
# What the smallest committed set is made of.
W, H = 23, 19


def smooth(w=W, h=H, seed=0):
    y, x = np.mgrid[0:h, 0:w].astype(float)
    r = 128 + 120 * np.sin(x / 7 + seed) * np.cos(y / 5)
    g = 255 * x / max(w - 1, 1)
    b = 255 * ((x + 2 * y) % 40) / 40
    return np.stack([r, g, b], -1).clip(0, 255).astype(np.uint8)


RGB = Image.fromarray(smooth())
GRAY = RGB.convert("L")
RGBA = RGB.copy()
RGBA.putalpha(GRAY)
LA = GRAY.copy()
LA.putalpha(RGB.getchannel(0))
PALETTE = RGB.quantize(16)
WIDE = smooth().astype(np.uint16) * 256 + np.arange(W, dtype=np.uint16)[None, :, None] * 11
NOISE = Image.fromarray(np.random.RandomState(1).randint(0, 256, (H, W, 3), np.uint8))


def saved(image, fmt, **options):
    out = io.BytesIO()
    image.save(out, fmt, **options)
    return out.getvalue()


# ---- PNG
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, w, h, depth, color, interlace=0, extra=b"", parts=1):
    body = zlib.compress(rows)
    step = -(-len(body) // parts)
    idat = b"".join(chunk(b"IDAT", body[i:i + step]) for i in range(0, len(body), step))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, color, 0, 0, interlace))
            + extra + idat + chunk(b"IEND", b""))


def filtered(array):
    """Rows with all five filters in turn."""
    rows, before = [], None
    for y, row in enumerate(array.reshape(array.shape[0], -1).astype(np.int16)):
        bpp = array.shape[2] if array.ndim == 3 else 1
        above = np.zeros_like(row) if before is None else before
        left = np.concatenate([np.zeros(bpp, np.int16), row[:-bpp]])
        corner = np.concatenate([np.zeros(bpp, np.int16), above[:-bpp]])
        p = left + above - corner
        pa, pb, pc = abs(p - left), abs(p - above), abs(p - corner)
        paeth = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, above, corner))
        guess = [0, left, above, (left + above) // 2, paeth][y % 5]
        rows.append(bytes([y % 5]) + ((row - guess) & 255).astype(np.uint8).tobytes())
        before = row
    return b"".join(rows)


def plain(array):
    return b"".join(b"\0" + row.tobytes() for row in array)


def interlaced(array):
    passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
    return b"".join(filtered(array[y::dy, x::dx]) for x, y, dx, dy in passes if array[y::dy, x::dx].size)


def packed(bits):
    levels = np.asarray(GRAY) >> (8 - bits)
    rows = np.zeros((H, -(-W * bits // 8)), np.uint8)
    for x in range(W):
        rows[:, x * bits // 8] |= levels[:, x] << (8 - bits - x * bits % 8)
    return plain(rows)


def pngs():
    plte = chunk(b"PLTE", bytes(range(48)))
    yield saved(RGB, "PNG")
    yield saved(RGBA, "PNG")
    yield saved(LA, "PNG")
    yield saved(GRAY.convert("1"), "PNG")
    yield saved(PALETTE, "PNG", bits=4, transparency=bytes(range(0, 256, 16)))
    yield saved(NOISE, "PNG", dpi=(72, 72))
    yield png(filtered(smooth()), W, H, 8, 2, parts=3)
    yield png(filtered(np.asarray(RGBA)), W, H, 8, 6, extra=chunk(b"tEXt", b"key\0value"))
    yield png(interlaced(smooth()), W, H, 8, 2, 1)
    yield png(interlaced(np.asarray(GRAY)), W, H, 8, 0, 1)
    yield png(plain(WIDE.astype(">u2")), W, H, 16, 2, extra=chunk(b"gAMA", struct.pack(">I", 45455)))
    yield png(plain(np.dstack([WIDE, WIDE[:, :, :1]]).astype(">u2")), W, H, 16, 6)
    yield png(plain(WIDE[:, :, :2].astype(">u2")), W, H, 16, 4)
    yield png(plain(WIDE[:, :, 0].astype(">u2")), W, H, 16, 0)
    yield png(packed(2), W, H, 2, 0)
    yield png(packed(4), W, H, 4, 3, extra=plte)
    yield png(packed(4), W, H, 4, 3, extra=chunk(b"PLTE", bytes(range(30))))


def with_checksums(data):
    """A PNG whose checksums are right again, so that damage gets behind them."""
    out = bytearray(data)
    at = 8
    while at + 12 <= len(out):
        length = struct.unpack(">I", out[at:at + 4])[0]
        if at + 12 + length > len(out):
            break
        out[at + 8 + length:at + 12 + length] = struct.pack(">I", zlib.crc32(out[at + 4:at + 8 + length]))
        at += 12 + length
    return bytes(out)


def with_other_rows(data, rnd):
    """A PNG whose header or rows are damaged, and compressed and summed up as if they were not."""
    at, parts, body = 8, [], b""
    while at + 12 <= len(data):
        length = struct.unpack(">I", data[at:at + 4])[0]
        kind, content = data[at + 4:at + 8], bytearray(data[at + 8:at + 8 + length])
        if kind == b"IDAT":
            body += content
        else:
            if rnd.random() < 0.3 and content:
                content[rnd.randrange(len(content))] = rnd.choice([0, 1, 2, 3, 4, 6, 8, 16, rnd.randrange(256)])
            if kind == b"IEND":
                rows = bytearray(zlib.decompress(body))
                for _ in range(rnd.randrange(4)):
                    rows[rnd.randrange(len(rows))] = rnd.choice([0, 1, 2, 3, 4, 5, rnd.randrange(256)])
                rows = rows[:len(rows) - rnd.choice([0, 0, 0, 0, 1, 20])] + bytes(rnd.choice([0, 0, 0, 0, 1, 9]))
                parts.append(chunk(b"IDAT", zlib.compress(bytes(rows), rnd.randrange(10))))
            parts.append(chunk(kind, bytes(content)))
        at += 12 + length
    return data[:8] + b"".join(parts)


# ---- TIFF
def tiff(entries, strips, order="<", offsets_tag=273, counts_tag=279, big=False):
    """A TIFF of entries {tag: values, or bytes} and the bytes of its strips."""
    entries = dict(entries)
    first, most, number = (16, 8, "Q") if big else (8, 4, "I")
    offset, offsets = first, []
    for strip in strips:
        offsets.append(offset)
        offset += len(strip)
    entries[offsets_tag] = offsets
    entries[counts_tag] = [len(strip) for strip in strips]
    offset += offset % 2
    body = b"".join(strips)
    body += b"\0" * (offset - first - len(body))
    directory = struct.pack(order + ("Q" if big else "H"), len(entries))
    extra = b""
    after = offset + len(directory) + (20 if big else 12) * len(entries) + most
    for tag in sorted(entries):
        values = entries[tag]
        if isinstance(values, bytes):
            kind, data = 7, values
        else:
            wide = tag in (offsets_tag, counts_tag)
            kind, code = (16, "Q") if big and wide else (4, "I") if wide or tag in (256, 257) else (3, "H")
            data = struct.pack(order + "%d%s" % (len(values), code), *values)
        if len(data) > most:
            where = struct.pack(order + number, after + len(extra))
            extra += data + b"\0" * (len(data) % 2)
        else:
            where = data + b"\0" * (most - len(data))
        directory += struct.pack(order + "HH" + number, tag, kind, len(values)) + where
    magic = b"II" if order == "<" else b"MM"
    magic += struct.pack(order + "HHHQ", 43, 8, 0, offset) if big else struct.pack(order + "HI", 42, offset)
    return magic + body + directory + b"\0" * most + extra


def packbits(data):
    out = b""
    at = 0
    while at < len(data):
        run = 1
        while at + run < len(data) and run < 128 and data[at + run] == data[at]:
            run += 1
        if run > 1:
            out += bytes([257 - run, data[at]])
        else:
            out += bytes([0, data[at]])
        at += run
    return out


def lzw(data, old=False):
    """LZW as TIFF has it, or as it was before TIFF 6.0: the lowest bit first, and codes that grow one code later."""
    bits, count, out = 0, 0, bytearray()
    table, width = {bytes([i]): i for i in range(256)}, 9

    def emit(code):
        nonlocal bits, count
        bits = bits | code << count if old else bits << width | code
        count += width
        while count >= 8:
            out.append((bits if old else bits >> (count - 8)) & 255)
            count -= 8
            bits = bits >> 8 if old else bits & (1 << count) - 1

    emit(256)
    word, following = b"", 258
    for value in data:
        longer = word + bytes([value])
        if longer in table:
            word = longer
            continue
        emit(table[word])
        table[longer] = following
        following += 1
        if following == (1 << width) + old:
            width += 1
        word = bytes([value])
        if following == 4094:
            emit(table[word])
            emit(256)
            table, width = {bytes([i]): i for i in range(256)}, 9
            word, following = b"", 258
    if word:
        emit(table[word])
        following += 1
        if following == (1 << width) + old:
            width += 1
    emit(257)
    if count:
        out.append((bits if old else bits << (8 - count)) & 255)
    return bytes(out)


def old_lzw(data):
    return lzw(data, True)


CODECS = {1: lambda d: d, 5: lzw, 8: zlib.compress, 32946: zlib.compress, 32773: packbits}


def jpeg(array, photometric, subsampling):
    """Pixels as a JPEG without its tables, and a JPEG of the tables alone."""
    array = np.ascontiguousarray(array.astype(np.uint8))
    if array.shape[2] == 1:
        image = Image.fromarray(array[:, :, 0])
    else:
        # Samples that are called YCbCr are stored as they are.
        image = Image.fromarray(array, "RGB" if photometric == 6 else "YCbCr")
    data = saved(image, "JPEG", quality=70, subsampling=subsampling)
    at, tables, strip = 2, b"", b""
    while data[at + 1] != 0xDA:
        end = at + 2 + struct.unpack(">H", data[at + 2:at + 4])[0]
        if data[at + 1] in (0xDB, 0xC4):
            tables += data[at:end]
        else:
            strip += data[at:end]
        at = end
    return b"\xff\xd8" + strip + data[at:], b"\xff\xd8" + tables + b"\xff\xd9"


def differences(array):
    return np.concatenate([array[:, :1], array[:, 1:] - array[:, :-1]], 1)


def striped(array, photometric, bits, compression=1, rows=7, order="<", predictor=1, planar=1, tile=None, extra=None,
            more=None, big=False, codec=None, subsampling=0):
    """A TIFF of an array of rows x columns x samples, each sample in a byte or two."""
    if array.ndim == 2:
        array = array[:, :, None]
    h, w, samples = array.shape
    kind = np.dtype("u1" if bits <= 8 else order + "u2")
    entries = {256: [w], 257: [h], 258: [bits] * samples, 259: [compression], 262: [photometric], 277: [samples],
               284: [planar]}
    if predictor > 1:
        entries[317] = [predictor]
    if extra is not None:
        entries[338] = extra
    entries.update(more or {})
    codec = codec or CODECS.get(compression)

    def coded(part):
        if compression == 7:
            strip, entries[347] = jpeg(part, photometric, subsampling)
            return strip
        if bits < 8:
            part = np.packbits(((part[:, :, :, None] >> np.arange(bits - 1, -1, -1)) & 1).reshape(len(part), -1)
                               .astype(np.uint8), axis=1)
        elif predictor > 1:
            part = differences(part)
        return codec(np.ascontiguousarray(part.astype(kind)).tobytes())

    planes = [array] if planar == 1 else [array[:, :, i:i + 1] for i in range(samples)]
    if tile:
        tw, th = tile
        entries.update({322: [tw], 323: [th]})
        parts = []
        for plane in planes:
            padded = np.pad(plane, ((0, -h % th), (0, -w % tw), (0, 0)))
            parts += [coded(padded[y:y + th, x:x + tw]) for y in range(0, h, th) for x in range(0, w, tw)]
        return tiff(entries, parts, order, 324, 325, big)
    entries[278] = [rows]
    return tiff(entries, [coded(plane[y:y + rows]) for plane in planes for y in range(0, h, rows)], order, big=big)


def tiffs():
    rgb, gray, rgba = smooth(), np.asarray(GRAY), np.asarray(RGBA)
    cmyk = np.dstack([255 - rgb, rgb[:, :, :1] // 3])
    colors = {320: [int(v) * 257 for v in np.random.RandomState(2).randint(0, 256, 48)]}
    colors8 = {320: [int(v) for v in np.random.RandomState(2).randint(0, 65536, 768)]}
    wide = WIDE[:, :, :3]
    for codec in CODECS:
        yield striped(rgb, 2, 8, codec)
    yield striped(rgb, 2, 8, 5, predictor=2)
    yield striped(rgb, 2, 8, 8, predictor=2, order=">", rows=H)
    yield striped(rgba, 2, 8, 5, extra=[2])
    yield striped(rgba, 2, 8, 8, extra=[1])
    yield striped(rgba, 2, 8, extra=[0], order=">")
    yield striped(rgba, 2, 8)
    yield striped(rgba, 2, 8, 32773, planar=2, extra=[2])
    yield striped(rgb, 2, 8, 5, planar=2, predictor=2)
    yield striped(rgb, 2, 8, planar=2)
    yield striped(rgb, 2, 8, 8, tile=(16, 16))
    yield striped(rgb, 2, 8, 1, tile=(16, 16))
    yield striped(rgb, 2, 8, 5, tile=(32, 16), predictor=2, planar=2)
    yield striped(wide, 2, 16, 5, predictor=2)
    yield striped(wide, 2, 16, 8, predictor=2, order=">")
    yield striped(wide, 2, 16, order=">")
    yield striped(np.dstack([wide, wide[:, :, :1]]), 2, 16, 8, extra=[1])
    yield striped(wide[:, :, 0], 1, 16, 5)
    yield striped(wide[:, :, 0], 1, 16, order=">")
    yield striped(gray, 1, 8, 5)
    yield striped(gray, 0, 8, 8)
    yield striped(gray >> 4, 0, 4, 32773)
    yield striped(gray >> 6, 1, 2, 5)
    yield striped(gray >> 7, 0, 1, 32773)
    yield striped(gray >> 7, 1, 1, more={266: [2]})
    yield striped(np.asarray(LA), 1, 8, 5, extra=[2])
    yield striped(gray >> 4, 3, 4, 5, more=colors)
    yield striped(gray, 3, 8, 1, more=colors8)
    yield striped(cmyk, 5, 8, 5)
    yield striped(cmyk, 5, 8, 1, order=">", planar=2)
    yield striped(rgb, 2, 8, 8, more={274: [6]})
    yield saved(RGB, "TIFF", compression="tiff_lzw")
    yield saved(PALETTE, "TIFF", compression="tiff_adobe_deflate")
    yield striped(rgb, 2, 8, 5, codec=old_lzw)
    yield striped(gray, 1, 8, 5, codec=old_lzw, rows=H)
    yield striped(rgb, 2, 8, 8, big=True)
    yield striped(rgb, 2, 8, 5, big=True, tile=(16, 16))
    yield saved(GRAY, "TIFF", compression="jpeg", quality=60)
    yield saved(RGB, "TIFF", compression="jpeg", quality=60)
    yield saved(RGB.convert("YCbCr"), "TIFF", compression="jpeg", quality=60)
    yield from jpeg_tiffs()


def jpeg_tiffs():
    rgb, gray = smooth(45, 37), smooth(45, 37)[:, :, 0]
    yield striped(rgb, 6, 8, 7, tile=(32, 16), more={530: [2, 2]}, subsampling=2)
    yield striped(rgb, 6, 8, 7, rows=16, more={530: [2, 1]}, subsampling=1)
    yield striped(rgb, 6, 8, 7, rows=8, more={530: [1, 1]}, big=True)
    yield striped(rgb, 2, 8, 7, rows=8)
    yield striped(rgb, 2, 8, 7, tile=(16, 16), planar=2)
    yield striped(gray, 1, 8, 7, tile=(16, 32))
    yield striped(gray, 0, 8, 7, rows=40, more={274: [6]})


def small_tiffs():
    """Those that make_fixtures.py keeps; of a BigTIFF Pillow reads no big-endian order, libtiff does."""
    rgb = smooth()
    yield "tiff_lzw_old.tif", striped(rgb, 2, 8, 5, codec=old_lzw)
    yield "tiff_big.tif", striped(rgb, 2, 8, 8, big=True)
    yield "tiff_big_endian.tif", striped(rgb, 2, 8, 5, big=True, order=">", tile=(16, 16))
    for name, data in zip(("420_tiles", "422", "444", "rgb", "planes", "grey", "grey_turned"), jpeg_tiffs()):
        yield "tiff_jpeg_%s.tif" % name, data
    bits = Image.fromarray(smooth(70, 50)).convert("1")
    yield "tiff_fax_rows_grey.tif", saved(bits, "TIFF", compression="tiff_ccitt")
    yield "tiff_fax_3_grey.tif", saved(bits, "TIFF", compression="group3")
    yield "tiff_fax_3_2d_grey.tif", saved(bits, "TIFF", compression="group3", tiffinfo={292: 5})
    yield "tiff_fax_4_grey.tif", saved(bits, "TIFF", compression="group4")
    runs = np.full((104, 2 * 2560 + 63), 255, np.uint8)
    for row, run in zip(runs, [*range(64), *range(64, 2561, 64)]):
        row[run:2 * run] = 0
    yield "tiff_fax_runs_grey.tif", saved(Image.fromarray(runs).convert("1"), "TIFF", compression="tiff_ccitt")


def foreign_tiffs():
    """Fax, of which we refuse any damage that can be told, and YCbCr that is not a JPEG, which a library decodes."""
    big = Image.fromarray(smooth(70, 50))
    for compression in ("tiff_ccitt", "group3", "group4"):
        yield saved(big.convert("1"), "TIFF", compression=compression)
    yield saved(big.convert("1"), "TIFF", compression="group3", tiffinfo={292: 1})
    yield saved(RGB.convert("YCbCr"), "TIFF", compression="tiff_lzw")


# ---- the others
def webps():
    yield saved(RGB, "WEBP", quality=80)
    yield saved(NOISE, "WEBP", quality=30)
    yield saved(RGB, "WEBP", lossless=True)
    yield saved(RGBA, "WEBP", lossless=True, exact=True)
    yield saved(RGBA, "WEBP", quality=70)
    yield saved(RGB, "WEBP", quality=50, exif=b"Exif\0\0II*\0\b\0\0\0\0\0\0\0\0\0")
    yield saved(PALETTE.convert("RGB"), "WEBP", lossless=True)
    yield saved(RGB.resize((70, 50)), "WEBP", quality=60, icc_profile=b"p" * 20)
    yield saved(RGB, "WEBP", save_all=True, append_images=[NOISE], duration=100)


def bmp_of(header, palette, pixels):
    offset = 14 + len(header) + len(palette)
    return b"BM" + struct.pack("<IHHI", offset + len(pixels), 0, 0, offset) + header + palette + pixels


def info(bits, compression, size=40, w=W, h=H, colors=0, more=b""):
    return struct.pack("<IiiHHIIiiII", size, w, h, 1, bits, compression, 0, 2835, 2835, colors, 0) + more


def rows_of(array):
    stride = -(-array.shape[1] // 4) * 4
    return b"".join(row.tobytes() + b"\0" * (stride - len(row)) for row in array[::-1])


def bmps():
    rgb, gray = smooth(), np.asarray(GRAY)
    bgrx = np.dstack([rgb[:, :, ::-1], gray])
    five = (rgb[:, :, 0].astype("<u2") >> 3) << 10 | (rgb[:, :, 1].astype("<u2") >> 3) << 5 | rgb[:, :, 2] >> 3
    six = (rgb[:, :, 0].astype("<u2") >> 3) << 11 | (rgb[:, :, 1].astype("<u2") >> 2) << 5 | rgb[:, :, 2] >> 3
    colors = bytes(np.random.RandomState(3).randint(0, 256, 64).astype(np.uint8))
    colors8 = bytes(np.random.RandomState(3).randint(0, 256, 1024).astype(np.uint8))

    def masks(*values):
        return struct.pack("<%dI" % len(values), *values)

    def view(array):
        return rows_of(np.ascontiguousarray(array).view(np.uint8).reshape(H, -1))

    yield saved(RGB, "BMP")
    yield saved(GRAY, "BMP")
    yield saved(GRAY.convert("1"), "BMP")
    yield saved(PALETTE, "BMP")
    yield saved(RGBA, "BMP")
    yield bmp_of(info(16, 0), b"", view(five))
    yield bmp_of(info(16, 3), masks(0xF800, 0x7E0, 0x1F), view(six))
    yield bmp_of(info(16, 3), masks(0x7C00, 0x3E0, 0x1F), view(five))
    yield bmp_of(info(32, 3), masks(0xFF0000, 0xFF00, 0xFF), view(bgrx))
    yield bmp_of(info(32, 3, 108, more=masks(0xFF000000, 0xFF0000, 0xFF00, 0xFF) + b"\0" * 52), b"", view(bgrx))
    yield bmp_of(info(8, 0, colors=40), colors8[:160], rows_of(gray // 5))
    yield bmp_of(info(32, 0, h=-H), b"", view(bgrx))
    yield bmp_of(info(4, 0), colors, rows_of(np.asarray([np.frombuffer(r, np.uint8) for r in
                 [np.packbits(np.unpackbits((row >> 4)[:, None], axis=1)[:, 4:].reshape(-1)) for row in gray]])))
    yield bmp_of(struct.pack("<IHHHH", 12, W, H, 1, 8), colors8[:768], rows_of(gray))
    runs = b""
    for row in (gray >> 4)[::-1]:
        for x in range(0, W - 3, 2):
            runs += bytes([2, row[x]])
        runs += bytes([0, 3]) + row[-3:].tobytes() + b"\0" + b"\0\0"
    yield bmp_of(info(8, 1), colors8, runs + b"\0\1")
    halves = b""
    for row in (gray >> 4)[::-1]:
        for x in range(0, W, 6):
            halves += bytes([min(6, W - x), row[x] << 4 | row[min(x + 1, W - 1)]])
        halves += b"\0\0"
    yield bmp_of(info(4, 2), colors, halves + b"\0\1")


def pnms():
    rgb, gray = smooth(), np.asarray(GRAY)
    yield saved(RGB, "PPM")
    yield saved(GRAY, "PPM")
    yield saved(GRAY.convert("1"), "PPM")
    yield b"P5\n# a comment\n%d %d\n100\n" % (W, H) + (gray % 101).tobytes()
    yield b"P6 %d %d 65535\n" % (W, H) + WIDE[:, :, :3].astype(">u2").tobytes()
    yield b"P5 %d %d 65535\n" % (W, H) + WIDE[:, :, 0].astype(">u2").tobytes()
    yield b"P5 %d %d 1023\n" % (W, H) + (WIDE[:, :, 0] >> 6).astype(">u2").tobytes()
    yield b"P3 9 7 255\n" + " ".join(str(v) for v in smooth(9, 7).ravel()).encode() + b"\n"
    yield b"P2\n# one\n9 9 # two\n31\n" + "\n".join(" ".join(str(v >> 3) for v in r) for r in gray[:9, :9]).encode()
    yield b"P1\n# bits\n5 3\n1 0 1 0 1\n01010\n0 0 0 1 1\n"
    yield b"P2 4 3 4000\n" + " ".join(str(v * 15) for v in gray[0, :12]).encode() + b"\n"


def jpegs():
    cmyk = Image.fromarray(np.dstack([255 - smooth(), smooth()[:, :, :1] // 3]), "CMYK")
    for progressive in (False, True):
        for subsampling in (0, 1, 2):
            yield saved(RGB, "JPEG", quality=70, subsampling=subsampling, progressive=progressive)
        yield saved(NOISE, "JPEG", quality=98, progressive=progressive, optimize=True)
        yield saved(GRAY, "JPEG", progressive=progressive)
        yield saved(cmyk, "JPEG", progressive=progressive)
    exif = Image.Exif()
    exif[0x112] = 6
    yield saved(RGB, "JPEG", exif=exif, comment=b"a comment")


SEEDS = {"jpeg": jpegs, "png": pngs, "tiff": tiffs, "foreign": foreign_tiffs, "webp": webps, "bmp": bmps, "pnm": pnms}


def mutate(data, kind, rnd):
    if kind == "png" and rnd.random() < 0.3:
        return with_other_rows(data, rnd), "rows"
    out = bytearray(data)
    how = []
    for _ in range(rnd.choice([1, 1, 1, 2, 3])):
        head = min(len(out), 160 if kind in ("tiff", "foreign") else 64)
        tail = kind in ("tiff", "foreign") and rnd.random() < 0.4
        at = len(out) - 1 - rnd.randrange(min(len(out), 260)) if tail else rnd.randrange(
            head if rnd.random() < 0.4 else len(out))
        act = rnd.randrange(10)
        if act < 4:
            out[at] ^= 1 << rnd.randrange(8)
            how.append("flip%d" % at)
        elif act < 6:
            out[at] = rnd.choice([0, 1, 2, 3, 4, 8, 16, 127, 128, 255, rnd.randrange(256)])
            how.append("set%d" % at)
        elif act == 6:
            size = rnd.choice([2, 4])
            value = rnd.choice([0, 1, 2, 3, 4, 5, 8, 16, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, len(out), 1 << 20])
            value &= (1 << 8 * size) - 1
            out[at:at + size] = value.to_bytes(size, rnd.choice(["big", "little"]))
            how.append("int%d" % at)
        elif act == 7:
            del out[at:at + rnd.choice([1, 1, 2, 4, 8, 100])]
            how.append("del%d" % at)
        elif act == 8:
            out[at:at] = bytes(rnd.randrange(256) for _ in range(rnd.choice([1, 1, 2, 4, 8])))
            how.append("ins%d" % at)
        else:
            del out[at:]
            how.append("cut%d" % at)
        if not out:
            break
    data = bytes(out)
    if kind == "png" and rnd.random() < 0.8:
        data = with_checksums(data)
    if kind == "webp" and len(data) > 8 and rnd.random() < 0.5:
        data = data[:4] + struct.pack("<I", len(data) - 8) + data[8:]
    return data, "+".join(how)


def verdict(data, kind):
    """The size and the checksum of what Pillow decodes, zeros where it refuses."""
    try:
        image = Image.open(io.BytesIO(data))
        if image.width * image.height > MOST_PIXELS or image.format not in ("JPEG", "PNG", "TIFF", "WEBP", "BMP", "PPM"):
            return 0, 0, 0
        image.load()
        if image.mode == "P":
            # Pillow 9.4 shows grays for the values that a palette does not reach, Pillow 12 black.
            image.putpalette((image.getpalette() + [0] * 768)[:768])
        if image.mode.startswith("I;16") or (image.mode == "I" and kind == "png"):
            pixels = (np.array(image).astype(np.int64) >> 8).astype(np.uint8)
            image = Image.fromarray(pixels).convert("RGB")
        elif image.mode == "I" and kind == "pnm":
            pixels = (np.array(image) >> 8).astype(np.uint8)
            image = Image.fromarray(pixels).convert("RGB")
        elif image.mode in ("I", "F"):
            return 0, 0, 0
        else:
            image = image.convert("RGB")
        return image.width, image.height, zlib.crc32(image.tobytes())
    except Exception:
        return 0, 0, 0


def cases(kind, count, seed):
    rnd = random.Random("%s %d" % (kind, seed))
    seeds = list(SEEDS[kind]())
    whole = [verdict(data, kind) for data in seeds]
    for i, (data, found) in enumerate(zip(seeds, whole)):
        assert found[0], (kind, i)
        yield "%s-%d" % (kind, i), data, found, found[2]
    for n in range(count - len(seeds)):
        i = n * len(seeds) // max(1, count - len(seeds))
        data, how = mutate(seeds[i], kind, rnd)
        yield "%s-%d-%s" % (kind, i, how), data, verdict(data, kind), whole[i][2]


def write(file, kind, count, seed):
    accepted = 0
    for name, data, found, before in cases(kind, count, seed):
        accepted += found[0] > 0
        name = name.encode()
        file.write(struct.pack(">I", len(name)) + name + struct.pack(">I", len(data)) + data
                   + struct.pack(">IIII", *found, before))
    print(kind, "Pillow accepts", accepted, "of", count)


if __name__ == "__main__":
    # libtiff says what it thinks of each.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    if sys.argv[1] == "fixtures":
        with open(os.path.join(HERE, "pillow_mutants.gz"), "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as out:
            for each in KINDS:
                write(out, each, 500, 1)
    else:
        with gzip.open(sys.argv[4], "wb", 3) as out:
            write(out, sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))

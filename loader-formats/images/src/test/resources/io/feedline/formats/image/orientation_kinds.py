#!/usr/bin/env python3
"""Writes JPEG, PNG, WebP and TIFF files that tell an orientation in seldom ways, for reported_kinds.py.

    python3 orientation_kinds.py FOLDER     (Pillow 12.3.0)

Several EXIF blocks, blocks that are cut or damaged, tags of every type, XMP, ImageMagick's raw
profiles, and chunks without the flag that announces them. reported_kinds.gz has every third file.
"""

import io
import os
import struct
import sys
import zlib

from PIL import Image

out = sys.argv[1]
os.makedirs(out, exist_ok=True)
image = Image.new("RGB", (23, 17))
image.putdata([(x * 11 % 256, x * 7 % 256, x * 3 % 256) for x in range(23 * 17)])


def tiff(entries, be=False, extra=b"", magic=None, nxt=0, cut=None):
    e = ">" if be else "<"
    data = (b"MM\x00*" if be else b"II*\x00") if magic is None else magic
    data += struct.pack(e + "L", 8) + struct.pack(e + "H", len(entries))
    for tag, typ, cnt, val in entries:
        data += struct.pack(e + "HHL", tag, typ, cnt) + val
    data += struct.pack(e + "L", nxt) + extra
    return data if cut is None else data[:cut]


def value(v, be=False, f="H"):
    return (struct.pack((">" if be else "<") + f, v) + b"\x00\x00\x00\x00")[:4] if f != "x" else v


def orientation(v, be=False):
    return [(274, 3, 1, value(v, be))]


blocks = {}
for v in range(0, 10):
    blocks[f"n{v}"] = tiff(orientation(v))
    blocks[f"be{v}"] = tiff(orientation(v, True), True)
for name, typ, f in (
    ("byte", 1, "B"),
    ("ascii", 2, "B"),
    ("long", 4, "L"),
    ("sbyte", 6, "b"),
    ("undef", 7, "B"),
    ("sshort", 8, "h"),
    ("slong", 9, "l"),
    ("float", 11, "f"),
    ("ifd", 13, "L"),
    ("t0", 0, "L"),
    ("t14", 14, "L"),
    ("t99", 99, "L"),
):
    blocks[name] = tiff([(274, typ, 1, value(6, False, f))])
    blocks[name + "be"] = tiff([(274, typ, 1, value(6, True, f))], True)
blocks["sshortneg"] = tiff([(274, 8, 1, value(-6, False, "h"))])
blocks["rat"] = tiff([(274, 5, 1, struct.pack("<L", 26))], extra=struct.pack("<LL", 6, 1))
blocks["rat12_2"] = tiff([(274, 5, 1, struct.pack("<L", 26))], extra=struct.pack("<LL", 12, 2))
blocks["rat0"] = tiff([(274, 5, 1, struct.pack("<L", 26))], extra=struct.pack("<LL", 6, 0))
blocks["srat"] = tiff([(274, 10, 1, struct.pack("<L", 26))], extra=struct.pack("<ll", -6, -1))
blocks["dbl"] = tiff([(274, 12, 1, struct.pack("<L", 26))], extra=struct.pack("<d", 6))
blocks["cnt2"] = tiff([(274, 3, 2, struct.pack("<HH", 6, 3))])
blocks["cnt0"] = tiff([(274, 3, 0, value(6))])
blocks["cnt3"] = tiff([(274, 3, 3, struct.pack("<L", 26))], extra=struct.pack("<HHH", 8, 1, 1))
blocks["dup68"] = tiff(orientation(6) + orientation(8))
blocks["dup6bad"] = tiff(orientation(6) + [(274, 99, 1, value(8))])
blocks["dup6byte"] = tiff(orientation(6) + [(274, 1, 1, value(8))])
blocks["dup6cnt0"] = tiff(orientation(6) + [(274, 3, 0, value(8))])
blocks["truncbefore"] = tiff([(270, 2, 500, struct.pack("<L", 26))] + orientation(6))
blocks["truncafter"] = tiff(orientation(6) + [(270, 2, 500, struct.pack("<L", 26))])
blocks["cutdir"] = tiff(orientation(6) + orientation(8), cut=8 + 2 + 12 + 5)
blocks["cut1"] = tiff(orientation(6), cut=20)
blocks["badmagic"] = tiff(orientation(6), magic=b"XX*\x00")
blocks["mmle"] = tiff(orientation(6, True), True, magic=b"MM*\x00")
blocks["iibe"] = tiff(orientation(6), magic=b"II\x00*")
blocks["empty"] = b""
blocks["nodir"] = b"II*\x00\x08\x00\x00\x00"
blocks["far"] = b"II*\x00\xff\xff\x00\x00"
blocks["bigcount"] = tiff([(274, 3, 2147483647, value(6))])
blocks["none"] = tiff([(271, 2, 2, b"a\x00\x00\x00")])
blocks["prefixed"] = b"Exif\x00\x00" + tiff(orientation(6))
blocks["prefixed2"] = b"Exif\x00\x00Exif\x00\x00" + tiff(orientation(6))
xmps = {
    "x6": b'<x tiff:Orientation="6"/>',
    "x8e": b"<tiff:Orientation>8</tiff:Orientation>",
    "x0": b'tiff:Orientation="0"',
    "xq": b"tiff:Orientation='6'",
    "x68": b'tiff:Orientation="6" tiff:Orientation="8"',
    "x12": b'tiff:Orientation="12"',
    "xq6": b"tiff:Orientation='3' tiff:Orientation=\"6\"",
    "xbad": b'\xff\xfe tiff:Orientation="3"',
}
number = 0


def put(name, data):
    global number
    open(f"{out}/{number:04d}_{name}", "wb").write(data)
    number += 1


b = io.BytesIO()
image.save(b, "JPEG")
JPEG = b.getvalue()
WITHOUT_JFIF = JPEG[:2] + JPEG[20:]
b = io.BytesIO()
image.save(b, "PNG")
PNG = b.getvalue()
b = io.BytesIO()
image.save(b, "WEBP", lossless=True)
WEBP = b.getvalue()


def app1(c):
    return b"\xff\xe1" + struct.pack(">H", len(c) + 2) + c


def jpeg(parts, jfif=True):
    base = JPEG if jfif else WITHOUT_JFIF
    k = 20 if jfif else 2
    return base[:k] + b"".join((app1(p) for p in parts)) + base[k:]


EXIF = b"Exif\x00\x00"
XMP = b"http://ns.adobe.com/xap/1.0/\x00"


def chunk(t, c):
    return struct.pack(">L", len(c)) + t + c + struct.pack(">L", zlib.crc32(t + c))


def png(before, after=()):
    i = 33
    iend = PNG.rindex(b"IEND") - 4
    return (
        PNG[:i]
        + b"".join((chunk(*c) for c in before))
        + PNG[i:iend]
        + b"".join((chunk(*c) for c in after))
        + PNG[iend:]
    )


def raw(t, nl=b"\n"):
    h = t.hex().encode()
    return b"\nexif\n%8d\n" % len(t) + nl.join((h[k : k + 72] for k in range(0, len(h), 72))) + b"\n"


def webp(chunks, flags):
    body = WEBP[12:]
    v = (
        b"VP8X"
        + struct.pack("<L", 10)
        + bytes([flags, 0, 0, 0])
        + struct.pack("<L", 22)[:3]
        + struct.pack("<L", 16)[:3]
    )
    c = v + body
    for t, data in chunks:
        c += t + struct.pack("<L", len(data)) + data + (b"\x00" if len(data) & 1 else b"")
    return b"RIFF" + struct.pack("<L", len(c) + 4) + b"WEBP" + c


for k, t in blocks.items():
    for jf in (True, False):
        put(f"j_{k}{jf}.jpg", jpeg([EXIF + t], jf))
    put(f"p_{k}.png", png([(b"eXIf", t)]))
    put(f"pr_{k}.png", png([(b"zTXt", b"Raw profile type exif\x00\x00" + zlib.compress(raw(EXIF + t)))]))
    put(f"w_{k}.webp", webp([(b"EXIF", t)], 8))
    put(f"jx_{k}.jpg", jpeg([EXIF + t, XMP + xmps["x8e"]]))
    put(f"px_{k}.png", png([(b"eXIf", t), (b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + xmps["x8e"])]))
    put(f"wx_{k}.webp", webp([(b"EXIF", t), (b"XMP ", xmps["x8e"])], 12))
names = ["n6", "n1", "n3", "none", "empty", "badmagic", "cut1", "n9"]
for a in names:
    for c in names:
        put(f"jj_{a}_{c}.jpg", jpeg([EXIF + blocks[a], EXIF + blocks[c]]))
        put(f"pp_{a}_{c}.png", png([(b"eXIf", blocks[a]), (b"eXIf", blocks[c])]))
        put(f"pa_{a}_{c}.png", png([(b"eXIf", blocks[a])], [(b"eXIf", blocks[c])]))
        put(f"ww_{a}_{c}.webp", webp([(b"EXIF", blocks[a]), (b"EXIF", blocks[c])], 8))
        put(
            f"pe_{a}_{c}.png",
            png([(b"tEXt", b"Raw profile type exif\x00" + raw(EXIF + blocks[a])), (b"eXIf", blocks[c])]),
        )
turned = blocks["n6"]
for cut in range(1, len(turned) + 4, 3):
    put(f"jsplit{cut}.jpg", jpeg([EXIF + turned[:cut], EXIF + turned[cut:]]))
for k, x in xmps.items():
    put(f"jX_{k}.jpg", jpeg([XMP + x]))
    put(f"jXX_{k}.jpg", jpeg([XMP + x, XMP + xmps["x8e"]]))
    put(f"wX_{k}.webp", webp([(b"XMP ", x)], 4))
    put(f"wX0_{k}.webp", webp([(b"XMP ", x)], 0))
    put(f"wXX_{k}.webp", webp([(b"XMP ", x), (b"XMP ", xmps["x8e"])], 4))
    put(f"pX_{k}.png", png([(b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + x)]))
    put(f"pXz_{k}.png", png([(b"iTXt", b"XML:com.adobe.xmp\x00\x01\x00\x00\x00" + zlib.compress(x))]))
    put(f"pXt_{k}.png", png([(b"tEXt", b"XML:com.adobe.xmp\x00" + x)]))
    put(f"pXl_{k}.png", png([(b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00en\x00tk\x00" + x)]))
    put(f"pXa_{k}.png", png([], [(b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + x)]))
    put(
        f"pXXl_{k}.png",
        png(
            [
                (b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + x),
                (b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + xmps["x8e"]),
            ]
        ),
    )
    put(
        f"pr_{k}.png",
        png(
            [
                (b"iTXt", b"Raw profile type exif\x00\x00\x00\x00\x00" + raw(EXIF + blocks["n6"], b"\r\n")),
                (b"iTXt", b"XML:com.adobe.xmp\x00\x00\x00\x00\x00" + x),
            ]
        ),
    )
put("w_noflag.webp", webp([(b"EXIF", turned)], 0))
put("w_odd.webp", webp([(b"ABCD", b"x"), (b"EXIF", EXIF + turned)], 8))
put("jExifNoNul.jpg", jpeg([b"Exif\x00" + turned]))
put("jcom0.jpg", JPEG[:20] + b"\xff\xfe\x00\x00" + JPEG[20:])
put("japp0.jpg", JPEG[:20] + b"\xff\xe5\x00\x01" + JPEG[20:])
put("jdht0.jpg", JPEG[:20] + b"\xff\xc4\x00\x00" + JPEG[20:])
for v in range(0, 10):
    for typ, f in ((3, "H"), (4, "L"), (8, "h"), (9, "l"), (1, "B")):
        b = io.BytesIO()
        image.save(b, "TIFF", tiffinfo={274: 7})
        data = bytearray(b.getvalue())
        off = struct.unpack("<L", data[4:8])[0]
        cnt = struct.unpack("<H", data[off : off + 2])[0]
        for i in range(cnt):
            e = off + 2 + 12 * i
            if struct.unpack("<H", data[e : e + 2])[0] == 274:
                data[e + 2 : e + 4] = struct.pack("<H", typ)
                data[e + 8 : e + 12] = value(v, False, f)
        put(f"t_{v}_{typ}.tif", bytes(data))
b = io.BytesIO()
image.save(b, "TIFF", tiffinfo={700: xmps["x6"]})
put("tX.tif", b.getvalue())

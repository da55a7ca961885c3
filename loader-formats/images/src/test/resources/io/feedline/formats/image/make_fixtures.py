#!/usr/bin/env python3
"""Makes the pictures beside this script, and what Pillow decodes them to.

    python3 make_fixtures.py          (Pillow 9.4.0 with libjpeg-turbo 2.1.5, torchvision 0.14.1)

golden.csv holds for each picture: name, width, height, CRC-32 of Pillow's convert("RGB") bytes.
Beside a picture whose decoders may differ lies NAME.rgb, those bytes themselves, for comparing with a tolerance.
folder.txt describes a folder; folder_listing.txt is what torchvision lists in it.
"""
import io
import os
import struct
import tempfile
import zlib

import numpy as np
from PIL import Image, ImageOps
import pillow_mutants
from torchvision.datasets.folder import IMG_EXTENSIONS, find_classes, make_dataset

W, H = 35, 27
HERE = os.path.dirname(os.path.abspath(__file__))
golden = []


def smooth(w=W, h=H):
    y, x = np.mgrid[0:h, 0:w].astype(float)
    r = 128 + 120 * np.sin(x / 7) * np.cos(y / 5)
    g = 255 * x / max(w - 1, 1)
    b = 255 * ((x + 2 * y) % 40) / 40
    return np.stack([r, g, b], -1).clip(0, 255).astype(np.uint8)


RGB = Image.fromarray(smooth())
GREY = RGB.convert("L")


def rgb_of(data):
    image = Image.open(io.BytesIO(data))
    image.load()
    return image.convert("RGB")


def write(name, data, expected=None, lossy=False):
    with open(os.path.join(HERE, name), "wb") as f:
        f.write(data)
    image = expected or rgb_of(data)
    pixels = image.tobytes()
    golden.append("%s,%d,%d,%08x" % (name, image.width, image.height, zlib.crc32(pixels)))
    if lossy:
        with open(os.path.join(HERE, name + ".rgb"), "wb") as f:
            f.write(pixels)


def save(name, image, fmt, lossy=False, **options):
    out = io.BytesIO()
    image.save(out, fmt, **options)
    write(name, out.getvalue(), lossy=lossy)
    return out.getvalue()


# ---- JPEG
save("jpeg_420.jpg", RGB, "JPEG", True, quality=90, subsampling=2)
damaged = bytearray(open(os.path.join(HERE, "jpeg_420.jpg"), "rb").read())
damaged[-200] ^= 0x10
write("jpeg_damaged.jpg", bytes(damaged), lossy=True)
save("jpeg_422.jpg", RGB, "JPEG", True, quality=90, subsampling=1)
j444 = save("jpeg_444.jpg", RGB, "JPEG", True, quality=90, subsampling=0)
save("jpeg_grey.jpg", GREY, "JPEG", True, quality=90)
save("jpeg_progressive.jpg", RGB, "JPEG", True, quality=90, subsampling=2, progressive=True)
save("jpeg_1x1.jpg", Image.new("RGB", (1, 1), (200, 100, 50)), "JPEG", True)
write("jpeg_trailing_bytes.jpg", j444 + b"\0" * 7 + b"and more", lossy=True)
cmyk_array = np.dstack([255 - smooth(), smooth()[:, :, 0] // 3])
cmyk = save("jpeg_cmyk_adobe.jpg", Image.fromarray(cmyk_array, "CMYK"), "JPEG", True, quality=90)
app14 = cmyk.index(b"\xff\xee\x00\x0eAdobe")
assert cmyk[app14 + 15] == 0
write("jpeg_ycck.jpg", cmyk[: app14 + 15] + b"\x02" + cmyk[app14 + 16 :], lossy=True)
write("jpeg_cmyk_plain.jpg", cmyk[:app14] + cmyk[app14 + 16 :], lossy=True)
assert j444[2:4] == b"\xff\xe0"
rest = j444[4 + struct.unpack(">H", j444[4:6])[0] :]
adobe_rgb = b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00"
write("jpeg_rgb_adobe.jpg", j444[:2] + adobe_rgb + rest, lossy=True)
write("jpeg_no_jfif.jpg", j444[:2] + rest, lossy=True)
small = Image.fromarray(smooth(21, 13))
for orientation in range(1, 9):
    exif = Image.Exif()
    exif[0x0112] = orientation
    # The pixels that the file shows without rotation are in golden.csv; the rotated ones follow
    # from them, and are compared with exif_transpose in exif_golden.csv.
    save("exif_%d.jpg" % orientation, small, "JPEG", quality=90, subsampling=0, exif=exif)


# ---- PNG
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(array, depth, colour, interlaced=False, extra=b""):
    h, w = array.shape[:2]
    array = array.astype(">u2" if depth == 16 else "u1")

    def rows(a):
        return b"".join(b"\0" + row.tobytes() for row in a)

    if interlaced:
        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        raw = b"".join(rows(array[y::dy, x::dx]) for x, y, dx, dy in passes if array[y::dy, x::dx].size)
    else:
        raw = rows(array)
    header = struct.pack(">IIBBBBB", w, h, depth, colour, 0, 0, int(interlaced))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))


RGBA = RGB.copy()
RGBA.putalpha(GREY)
LA = GREY.copy()
LA.putalpha(RGB.getchannel(0))
PALETTE = RGB.quantize(16)
rgb_png = save("png_rgb.png", RGB, "PNG")
save("png_rgba.png", RGBA, "PNG")
save("png_grey.png", GREY, "PNG")
save("png_grey_alpha.png", LA, "PNG")
save("png_1bit.png", GREY.convert("1"), "PNG")
save("png_palette.png", PALETTE, "PNG", bits=4)
save("png_palette_transparent.png", PALETTE, "PNG", bits=4, transparency=bytes(range(0, 256, 16)))
save("png_palette_8bit.png", RGB.quantize(60), "PNG")
save("png_rgb_transparent_colour.png", RGB, "PNG", transparency=tuple(int(v) for v in smooth()[3, 4]))
save("png_1x1.png", Image.new("RGBA", (1, 1), (1, 2, 3, 0)), "PNG")
for bits in (2, 4):
    levels = np.asarray(GREY) >> (8 - bits)
    packed = np.zeros((H, -(-W * bits // 8)), np.uint8)
    for x in range(W):
        packed[:, x * bits // 8] |= levels[:, x] << (8 - bits - x * bits % 8)
    header = struct.pack(">IIBBBBB", W, H, bits, 0, 0, 0, 0)
    raw = b"".join(b"\0" + row.tobytes() for row in packed)
    write("png_grey_%dbit.png" % bits, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
          + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
wide = smooth(17, 13).astype(np.uint16) * 256 + np.arange(17, dtype=np.uint16)[None, :, None] * 15
write("png_rgb_16bit.png", png(wide, 16, 2))
write("png_rgba_16bit.png", png(np.dstack([wide, wide[:, :, :1]]), 16, 6))
write("png_grey_alpha_16bit.png", png(wide[:, :, :2], 16, 4))
# Pillow clips 16-bit grey at 255 when it converts to RGB, so nearly all turns white. The high byte
# is meant, as Pillow itself takes it of 16-bit colour.
high = Image.fromarray((wide[:, :, 0] >> 8).astype(np.uint8)).convert("RGB")
write("png_grey_16bit.png", png(wide[:, :, 0], 16, 0), expected=high)
write("png_interlaced.png", png(smooth(), 8, 2, interlaced=True))
write("png_gamma.png", png(smooth(), 8, 2, extra=chunk(b"gAMA", struct.pack(">I", 100000))))

# ---- BMP
bmp = save("bmp_24.bmp", RGB, "BMP")
save("bmp_palette.bmp", RGB.quantize(16), "BMP")
save("bmp_grey.bmp", Image.fromarray(np.asarray(GREY)[:20, :20]), "BMP")
save("bmp_1bit.bmp", GREY.convert("1"), "BMP")
save("bmp_rgba.bmp", Image.fromarray(np.asarray(RGBA)[:20, :20]), "BMP")
offset = struct.unpack("<I", bmp[10:14])[0]
stride = (W * 3 + 3) // 4 * 4
rows = [bmp[offset + i * stride : offset + (i + 1) * stride] for i in range(H)]
write("bmp_top_down.bmp", bmp[:22] + struct.pack("<i", -H) + bmp[26:offset] + b"".join(reversed(rows)))

# ---- WebP
save("webp_lossy.webp", RGB, "WEBP", True, quality=80)
save("webp_lossless.webp", RGB, "WEBP", lossless=True)
save("webp_alpha.webp", RGBA, "WEBP", lossless=True, exact=True)

# ---- TIFF
save("tiff_rgb.tif", Image.fromarray(smooth(20, 15)), "TIFF")
save("tiff_lzw.tif", RGB.crop((0, 0, 28, 24)), "TIFF", compression="tiff_lzw")
save("tiff_deflate.tif", RGB, "TIFF", compression="tiff_adobe_deflate")
save("tiff_grey.tif", GREY, "TIFF", compression="tiff_lzw")
# Lossy, as one may round the palette's 16-bit entries or cut them.
save("tiff_palette.tif", RGB.quantize(16), "TIFF", True, compression="tiff_lzw")
grey16 = np.ascontiguousarray(wide[:, :, 0])
save("tiff_cmyk.tif", Image.fromarray(cmyk_array[:15, :20].copy(), "CMYK"), "TIFF")
out = io.BytesIO()
Image.fromarray(grey16).save(out, "TIFF")
write("tiff_grey_16bit.tif", out.getvalue(), expected=high)
for name, data in pillow_mutants.small_tiffs():
    write(name, data, expected=Image.fromarray(pillow_mutants.smooth()) if "big_endian" in name else None)
save("tiff_orientation.tif", Image.fromarray(smooth(20, 15)), "TIFF", tiffinfo={274: 6})

# ---- PNM
save("pnm_rgb.ppm", Image.fromarray(smooth(20, 15)), "PPM")
save("pnm_grey.pgm", GREY, "PPM")
ramp = (np.arange(20 * 15) * 3 % 101).astype(np.uint8)
write("pnm_maxval_100.pgm", b"P5\n# a comment\n20 15\n100\n" + ramp.tobytes())
write("pnm_rgb_16bit.ppm", b"P6 17 13 65535\n" + wide.astype(">u2").tobytes())
write("pnm_grey_16bit.pgm", b"P5 17 13 65535\n" + wide[:, :, 0].astype(">u2").tobytes(),
      expected=high)
text = " ".join(str(v) for v in smooth(9, 7).ravel())
write("pnm_plain.ppm", b"P3 9 7 255\n" + text.encode() + b"\n")
plain = "\n".join(" ".join(str(v) for v in row) for row in np.asarray(GREY)[:9, :9])
write("pnm_plain.pgm", b"P2\n# one\n9 9 # two\n255\n" + plain.encode() + b"\n")

# ---- EXIF in other formats, and what ImageOps.exif_transpose makes of all of them
exif = Image.Exif()
exif[0x0112] = 6
save("exif_6.png", small, "PNG", exif=exif)
save("exif_8.webp", small, "WEBP", lossless=True, exif=b"Exif\0\0II*\0\b\0\0\0\1\0\x12\1\3\0\1\0\0\0\b\0\0\0\0\0\0\0")
with open(os.path.join(HERE, "exif_golden.csv"), "w") as f:
    for name in ["exif_%d.jpg" % orientation for orientation in range(1, 9)] + ["exif_6.png", "exif_8.webp"]:
        image = ImageOps.exif_transpose(Image.open(os.path.join(HERE, name))).convert("RGB")
        f.write("%s,%d,%d,%08x\n" % (name, image.width, image.height, zlib.crc32(image.tobytes())))

bits = np.packbits(np.asarray(GREY)[:9, :19] > 100, axis=1)
write("pnm_bits.pbm", b"P4 19 9\n" + bits.tobytes())
write("pnm_plain.pbm", b"P1\n# bits\n5 3\n1 0 1 0 1\n01010\n0 0 0 1 1")

with open(os.path.join(HERE, "golden.csv"), "w") as f:
    f.write("\n".join(golden) + "\n")

# ---- a folder, as torchvision lists it
FILES = """
b/1.jpg b/10.jpg b/2.jpg b/A.JPG b/a-b/x.png b/a/x.png b/a.b/x.png b/a/z/deep.webp b/notes.txt b/.hidden.jpg
a/\uff5e.jpg a/\U0001f600.jpg a/\u00e9.jpg a/e.jpg a/E.TIFF a/_.bmp a/picture.jpg.txt a/.jpg a/x.ppm/in.pgm
\uff5ewide/1.tif \U0001f600emoji/1.jpeg Z/1.jpg .dot/1.jpg
""".split()
LINKS = {"Z/dir": "../b/a", "Z/file.jpg": "../b/1.jpg", "Z/dangling.jpg": "nowhere", "linked": "b/a"}

FILES.append("stray.jpg")
with open(os.path.join(HERE, "folder.txt"), "w", encoding="utf-8") as f:
    f.writelines(name + "\n" for name in FILES)
    f.writelines("%s -> %s\n" % link for link in LINKS.items())

with tempfile.TemporaryDirectory() as root:
    for name in FILES:
        path = os.path.join(root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w").close()
    for link, target in LINKS.items():
        os.symlink(target, os.path.join(root, link))
    classes, class_to_idx = find_classes(root)
    with open(os.path.join(HERE, "folder_listing.txt"), "w", encoding="utf-8") as f:
        for path, label in make_dataset(root, class_to_idx, IMG_EXTENSIONS):
            f.write("%d %s %s\n" % (label, classes[label], os.path.relpath(path, root)))

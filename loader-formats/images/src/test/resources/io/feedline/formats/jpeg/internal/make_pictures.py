#!/usr/bin/env python3
"""Makes pictures.zip: small JPEG files, and in truth.csv what libjpeg-turbo decodes them to.

    python3 make_pictures.py          (cjpeg, djpeg and jpegtran of libjpeg-turbo 2.1.5, numpy 1.24)

sound/        every sampling and kind of colour, at sizes, qualities and restart intervals that cover the edges
damaged/      what djpeg warns of and decodes nevertheless
unsupported/  what the decoder leaves to others; no truth is needed

truth.csv holds for each picture of the first two: name, width, height, CRC-32 of the pixels of `djpeg -rgb -ppm`.
The script is deterministic.
"""
import os
import struct
import subprocess
import tempfile
import zipfile
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(20260301)
entries = {}
truth = []


def pixels(width, height, kind):
    """RGB; smooth pictures have short codes, noise has long ones, extremes overflow the transform's range."""
    y, x = np.mgrid[0:height, 0:width].astype(float)
    if kind == "noise":
        return random.integers(0, 256, (height, width, 3), dtype=np.uint8)
    if kind == "extremes":
        return (random.integers(0, 2, (height, width, 3)) * 255).astype(np.uint8)
    if kind == "flat":
        return np.full((height, width, 3), (90, 180, 33), np.uint8)
    waves = [128 + 127 * np.sin(x / a + y / b) for a, b in ((5, 9), (11, -4), (-3, 17))]
    return (np.stack(waves, -1) + random.normal(0, 3, (height, width, 3))).clip(0, 255).astype(np.uint8)


def run(data, *command):
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout


def cjpeg(image, *options):
    height, width, _ = image.shape
    return run(b"P6\n%d %d\n255\n" % (width, height) + image.tobytes(), "cjpeg", *options)


def djpeg(data):
    magic, size, maxval, content = run(data, "djpeg", "-rgb", "-ppm").split(b"\n", 3)
    assert magic == b"P6" and maxval == b"255"
    width, height = map(int, size.split())
    assert len(content) == 3 * width * height
    return width, height, zlib.crc32(content)


def add(name, data):
    assert name not in entries and len(data) > 100
    entries[name] = data
    if not name.startswith("unsupported/"):
        truth.append("%s,%d,%d,%08x" % (name, *djpeg(data)))


def segments(data):
    """(marker, begin, end) of each segment up to the scan header."""
    at = 2
    while True:
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        yield marker, at, at + 2 + length
        at += 2 + length
        if marker == 0xDA:
            return


def without(data, *markers):
    for marker, begin, end in reversed(list(segments(data))):
        if marker in markers:
            data = data[:begin] + data[end:]
    return data


def find(data, wanted):
    return next((begin, end) for marker, begin, end in segments(data) if marker == wanted)


def insert(data, segment, at=2):
    return data[:at] + segment + data[at:]


def with_ids(data, ids):
    """Other names for the components, in the frame header and in the scan header."""
    data = bytearray(data)
    frame = find(data, 0xC0)[0] + 10
    scan = find(data, 0xDA)[0] + 5
    for i, id in enumerate(ids):
        data[frame + 3 * i] = id
        data[scan + 2 * i] = id
    return bytes(data)


def adobe(transform):
    return b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00" + bytes([transform])


def scan_start(data):
    return find(data, 0xDA)[1]


# ---- sound: each kind meets each size, and the other properties take turns.
KINDS = {
    "grey": ["-grayscale"],
    "grey2x2": ["-grayscale"],
    "444": ["-sample", "1x1"],
    "422": ["-sample", "2x1"],
    "420": ["-sample", "2x2"],
    "440": ["-sample", "1x2"],
    "411": ["-sample", "4x1"],
    "rgb": ["-rgb"],
}
SIZES = [(1, 1), (1, 67), (67, 1), (7, 9), (8, 8), (9, 7), (16, 16), (17, 15), (31, 33), (32, 32), (33, 2)]
SIZES += [(2, 31), (15, 48), (40, 64), (48, 17), (63, 65), (64, 24), (65, 66), (67, 67), (5, 3)]
QUALITIES = [75, 95, 100, 30, 5]
RESTARTS = [[], ["-restart", "1B"], [], ["-restart", "1"], ["-restart", "3B"], [], ["-restart", "7B"]]
TEXTURES = ["waves", "noise", "waves", "extremes", "waves", "flat"]
turn = 0
for kind, options in KINDS.items():
    for width, height in SIZES:
        quality, restart = QUALITIES[turn % 5], RESTARTS[turn % 7]
        texture = TEXTURES[turn % 6] if width * height < 3000 else "waves"
        optimize = ["-optimize"] if turn % 4 == 0 else []
        name = "sound/%s_%dx%d_q%d_%s%s%s.jpg" % (
            kind, width, height, quality, texture,
            "_restart" + restart[1] if restart else "", "_optimized" if optimize else "")
        command = ["-baseline", "-quality", str(quality)] + options + restart + optimize
        data = cjpeg(pixels(width, height, texture), *command)
        if kind == "grey2x2":
            frame = find(data, 0xC0)[0]
            data = data[: frame + 11] + b"\x22" + data[frame + 12 :]
        add(name, data)
        turn += 1

add("sound/420_67x67.jpg", cjpeg(pixels(67, 67, "waves"), "-quality", "75"))

# More than one chunk of data, and long codes.
add("sound/420_200x90_noise.jpg", cjpeg(pixels(200, 90, "noise"), "-quality", "85"))
add("sound/444_64x64_q100_noise.jpg", cjpeg(pixels(64, 64, "noise"), "-quality", "100", "-sample", "1x1", "-optimize"))

# What three components mean.
base = cjpeg(pixels(19, 21, "waves"), "-quality", "90", "-sample", "1x1")
bare = without(base, 0xE0)
add("sound/colour_jfif_and_adobe_rgb.jpg", insert(base, adobe(0), find(base, 0xE0)[1]))
add("sound/colour_adobe_rgb.jpg", insert(bare, adobe(0)))
add("sound/colour_adobe_ycc.jpg", insert(bare, adobe(1)))
add("sound/colour_adobe_ycc_ids_rgb.jpg", insert(with_ids(bare, b"RGB"), adobe(1)))
add("sound/colour_adobe_unknown.jpg", insert(bare, adobe(2)))
add("sound/colour_adobe_too_short.jpg", insert(bare, b"\xff\xee\x00\x0dAdobe\x00\x64\x00\x00\x00\x00"))
add("sound/colour_ids_123.jpg", bare)
add("sound/colour_ids_rgb.jpg", with_ids(bare, b"RGB"))
add("sound/colour_ids_rgb_but_jfif.jpg", with_ids(base, b"RGB"))
add("sound/colour_ids_012.jpg", with_ids(bare, bytes([0, 1, 2])))
add("sound/colour_jfif_too_short.jpg", insert(with_ids(bare, b"RGB"), b"\xff\xe0\x00\x0eJFIF\x00\x01\x01\x00\x00\x01\x00\x01"))
rgb420 = with_ids(without(cjpeg(pixels(37, 35, "waves"), "-quality", "80"), 0xE0), b"RGB")
add("sound/colour_ids_rgb_420.jpg", rgb420)

# Unusual but allowed bytes.
begin, end = find(base, 0xDB)
table = base[begin:end]
add("sound/fill_bytes.jpg", insert(base, b"\xff\xff\xff", find(base, 0xC0)[0]))
add("sound/tables_redefined.jpg", insert(base, table[:5] + bytes([7] * 64) + table[69:], begin))
wide = b"\xff\xdb\x00\x83\x10" + b"".join(struct.pack(">H", q) for q in table[5:69])
add("sound/wide_quantisers.jpg", insert(base, wide, find(base, 0xC0)[0]))
add("sound/all_segments.jpg", insert(base, b"".join(b"\xff%c\x00\x06abcd" % m for m in range(0xE1, 0xF0)) + b"\xff\xfe\x00\x02"))
add("sound/standalone_markers.jpg", insert(base, b"\xff\x01\xff\xd3"))
add("sound/garbage_between_segments.jpg", insert(base, b"\x00garbage\xff\x00\xff", find(base, 0xC0)[0]))
add("sound/extended_sequential.jpg", base.replace(b"\xff\xc0", b"\xff\xc1", 1))
add("sound/spectral_selection_of_zero.jpg", base[: scan_start(base) - 3] + b"\0\0\0" + base[scan_start(base) :])
add("sound/trailing_bytes.jpg", base + b"\0\xff\xd8 and more")
add("sound/no_end_of_image.jpg", base[:-2])
add("sound/end_of_image_is_another_marker.jpg", base[:-2] + b"\xff\xfe\x00\x02")
add("sound/fill_bytes_at_the_end.jpg", base[:-2] + b"\xff\xff\xff\xd9")
restarted = cjpeg(pixels(50, 40, "waves"), "-quality", "60", "-restart", "2B")
at = scan_start(restarted) + restarted[scan_start(restarted) :].index(b"\xff\xd1")
add("sound/fill_bytes_before_restart.jpg", insert(restarted, b"\xff\xff", at))

# ---- damaged
for name, data in (("420", cjpeg(pixels(67, 61, "waves"), "-quality", "75")),
                   ("444", cjpeg(pixels(33, 35, "noise"), "-quality", "90", "-sample", "1x1")),
                   ("grey", cjpeg(pixels(60, 44, "waves"), "-quality", "80", "-grayscale")),
                   ("restart", restarted)):
    start = scan_start(data)
    for part in (0, 1, 2, 5, 8, 11):
        cut = start + (len(data) - 2 - start) * part // 12
        add("damaged/truncated_%s_%d.jpg" % (name, part), data[:cut])
        if part in (5, 8):
            add("damaged/ended_%s_%d.jpg" % (name, part), data[:cut].rstrip(b"\xff") + b"\xff\xd9")
start = scan_start(restarted)
marks = [i for i in range(start, len(restarted) - 1) if restarted[i] == 0xFF and 0xD0 <= restarted[i + 1] <= 0xD7]
assert len(marks) > 4
add("damaged/restart_interval_lost.jpg", restarted[: marks[1]] + restarted[marks[2] :])
add("damaged/two_restart_intervals_lost.jpg", restarted[: marks[1]] + restarted[marks[3] :])
add("damaged/restart_interval_repeated.jpg", restarted[: marks[2]] + restarted[marks[1] :])
add("damaged/restart_marker_of_another_number.jpg", restarted[: marks[1] + 1] + b"\xd5" + restarted[marks[1] + 2 :])
add("damaged/restart_interval_cut.jpg", restarted[: marks[2] - 5].rstrip(b"\xff") + restarted[marks[2] :])
add("damaged/garbage_before_restart.jpg", insert(restarted, b"garbage", marks[2]))
add("damaged/garbage_before_end.jpg", insert(base, b"garbage", len(base) - 2))

# ---- unsupported
image = pixels(24, 20, "waves")
add("unsupported/progressive.jpg", cjpeg(image, "-progressive"))
add("unsupported/arithmetic.jpg", cjpeg(image, "-arithmetic"))
add("unsupported/quantisers_of_16_bits.jpg", cjpeg(image, "-quality", "1"))
add("unsupported/sampling_1x1_2x2_1x1.jpg", cjpeg(image, "-sample", "1x1,2x2,1x1"))
add("unsupported/sampling_2x2_1x2_1x2.jpg", cjpeg(image, "-sample", "2x2,1x2,1x2"))
add("unsupported/sampling_3x1_1x1_1x1.jpg", cjpeg(image, "-sample", "3x1,1x1,1x1"))
with tempfile.NamedTemporaryFile("w", suffix=".txt") as scans:
    scans.write("0;\n1;\n2;\n")
    scans.flush()
    add("unsupported/one_scan_a_component.jpg", cjpeg(image, "-scans", scans.name))
frame = find(base, 0xC0)[0]
add("unsupported/12_bits.jpg", base[: frame + 4] + b"\x0c" + base[frame + 5 :])
add("unsupported/no_height.jpg", base[: frame + 5] + b"\0\0" + base[frame + 7 :])
add("unsupported/lossless.jpg", base.replace(b"\xff\xc0", b"\xff\xc3", 1))
add("unsupported/hierarchical.jpg", base.replace(b"\xff\xc0", b"\xff\xc5", 1))
add("unsupported/no_huffman_tables.jpg", without(base, 0xC4))
add("unsupported/equal_ids.jpg", with_ids(base, bytes([1, 1, 2])))
four = base[: frame + 2] + b"\x00\x14" + base[frame + 4 : frame + 9] + b"\x04" + base[frame + 10 : frame + 19]
add("unsupported/four_components.jpg", four + b"\x04\x11\x00" + base[frame + 19 :])

with zipfile.ZipFile(os.path.join(HERE, "pictures.zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zip:
    for name, data in [("truth.csv", ("\n".join(truth) + "\n").encode())] + list(entries.items()):
        zip.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
print(len(entries), "pictures")

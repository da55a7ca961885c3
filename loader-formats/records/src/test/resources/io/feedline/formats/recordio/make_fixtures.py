#!/usr/bin/env python3
"""Writes the fixtures beside it by recordio.py, a transcription of dmlc-core and MXNet.

  raw.rec, raw.idx            records of bytes, some with the magic number in their data
  pictures.rec, pictures.idx  six pictures as im2rec packs them, with keys that are not counted through
  detection.rec               two pictures with several labels each; no index
  pictures.txt                the pictures: key, label, CRC-32 of the bytes
"""

import io
import os
import pathlib
import sys
import zlib

from PIL import Image

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import recordio

HERE = pathlib.Path(__file__).parent
M = recordio.MAGIC_BYTES

RAW = [
    b"one",
    b"",
    M,
    b"abcd" + M + b"efgh",
    M + M + b"xyz",
    b"abcd" + M,
    b"a" + M + b"not aligned",
    b"four" + M + b"five" + M + M + b"six",
    M[:3],
    bytes(range(256)) * 5,
]


def picture(i):
    image = Image.new("RGB", (10 + i, 8))
    image.putdata([((x * 25 + i * 40) % 256, (y * 30) % 256, (x * y) % 256)
                   for y in range(8) for x in range(10 + i)])
    out = io.BytesIO()
    image.save(out, "PNG" if i % 2 else "JPEG", quality=70)
    return out.getvalue()


recordio.write_indexed(str(HERE / "raw"), enumerate(RAW))

lines, records = [], []
for i in range(6):
    key, label, data = 100 - 7 * i, i % 3, picture(i)
    records.append((key, recordio.pack(recordio.IRHeader(0, float(label), key, 0), data)))
    lines.append(f"{key},{label},{zlib.crc32(data):08x}")
recordio.write_indexed(str(HERE / "pictures"), records)
(HERE / "pictures.txt").write_text("\n".join(lines) + "\n")

with open(HERE / "detection.rec", "wb") as out:
    for i in range(2):
        labels = [2.0, 5.0, float(i), 0.25, 0.5][: 5 - i]
        recordio.write_record(out, recordio.pack(recordio.IRHeader(0, labels, i, 0), picture(i)))

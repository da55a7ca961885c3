#!/usr/bin/env python3
"""Writes the fixtures beside it, with TensorFlow's own writers (made with tensorflow 2.21, Pillow 12).

  raw.tfrecord        five records of bytes, one of them empty
  raw.gz.tfrecord     the same, compressed as a whole by gzip
  raw.zlib.tfrecord   the same, compressed as a whole by zlib
  features.tfrecord   one tf.train.Example with every kind of feature
  unpacked.tfrecord   one whose numbers are not packed, with fields that nobody knows
  train-0000?-of-00002   seven pictures in two shards, as the scripts for ImageNet write them
  pictures.txt        the pictures: file name, label, width, height, CRC-32 of the bytes
"""

import io
import pathlib
import struct
import zlib

import tensorflow as tf
from PIL import Image

HERE = pathlib.Path(__file__).parent


def write(name, records, compression=""):
    with tf.io.TFRecordWriter(str(HERE / name), tf.io.TFRecordOptions(compression)) as writer:
        for record in records:
            writer.write(record)


def bytes_feature(*values):
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def int64_feature(*values):
    return tf.train.Feature(int64_list=tf.train.Int64List(value=values))


def float_feature(*values):
    return tf.train.Feature(float_list=tf.train.FloatList(value=values))


def example(**features):
    return tf.train.Example(features=tf.train.Features(feature=features))


def field(number, payload):
    """A field of bytes: shorter than 128, number below 16."""
    return bytes([number << 3 | 2, len(payload)]) + payload


def unpacked():
    ints = b"\x08\x07" + b"\x08" + b"\xff" * 9 + b"\x01"  # 7, -1, each with its own tag
    floats = b"\x0d" + struct.pack("<f", 1.5) + b"\x0d" + struct.pack("<f", -2.0)
    unknown = b"\x78\x2a" + b"\x79" + bytes(8) + b"\x7d" + bytes(4) + field(15, b"?")
    group = b"\x73" + b"\x08\x01" + b"\x74"  # field 14, a group of one number
    entries = (
        field(1, field(1, b"ints") + field(2, field(3, ints) + group))
        + field(1, field(2, field(2, unknown + floats)) + field(1, b"floats"))
        + field(1, field(1, b"nothing"))
    )
    return unknown + wrapped(1, entries) + group


def wrapped(number, payload):
    length = len(payload)
    varint = bytes([length]) if length < 128 else bytes([length & 0x7F | 0x80, length >> 7])
    return bytes([number << 3 | 2]) + varint + payload


def picture(i):
    size = (12 + i, 9 + i % 3)
    image = Image.new("RGB", size)
    image.putdata(
        [((x * 20 + i * 30) % 256, (y * 25) % 256, (x * y + i) % 256)
         for y in range(size[1]) for x in range(size[0])]
    )
    out = io.BytesIO()
    image.save(out, "PNG" if i == 5 else "JPEG", quality=80)
    return out.getvalue(), size


RAW = [b"first", b"", bytes(i % 251 for i in range(3000)), "größer".encode(), b"\x00" * 17]
write("raw.tfrecord", RAW)
write("raw.gz.tfrecord", RAW, "GZIP")
write("raw.zlib.tfrecord", RAW, "ZLIB")

write("features.tfrecord", [example(**{
    "text": bytes_feature("grün".encode()),
    "words": bytes_feature(b"one", b"", b"three"),
    "no words": bytes_feature(),
    "int": int64_feature(42),
    "ints": int64_feature(0, -1, 2**63 - 1, -(2**63), 300),
    "no ints": int64_feature(),
    "float": float_feature(0.1),
    "floats": float_feature(-0.0, 3.5e38 * 10, 1e-45, 16777216.0),
    "": int64_feature(7),
    "unset": tf.train.Feature(),
}).SerializeToString(deterministic=True)])

message = unpacked()
parsed = tf.train.Example.FromString(message)
assert list(parsed.features.feature["ints"].int64_list.value) == [7, -1]
assert list(parsed.features.feature["floats"].float_list.value) == [1.5, -2.0]
write("unpacked.tfrecord", [message])

CLASSES = ["cat", "dog", "emu"]
lines = []
shards = [[], []]
for i in range(7):
    data, (width, height) = picture(i)
    label = i % 3 + 1
    name = f"n{label:08d}_{i}.JPEG" if i != 5 else "some.where/p.5.png"
    lines.append(f"{name},{label},{width},{height},{zlib.crc32(data):08x}")
    shards[i // 4].append(example(**{
        "image/height": int64_feature(height),
        "image/width": int64_feature(width),
        "image/colorspace": bytes_feature(b"RGB"),
        "image/channels": int64_feature(3),
        "image/class/label": int64_feature(label),
        "image/class/synset": bytes_feature(f"n{label:08d}".encode()),
        "image/class/text": bytes_feature(CLASSES[label - 1].encode()),
        "image/format": bytes_feature(b"JPEG" if i != 5 else b"PNG"),
        "image/filename": bytes_feature(name.encode()),
        "image/encoded": bytes_feature(data),
    }).SerializeToString(deterministic=True))
for i, records in enumerate(shards):
    write(f"train-{i:05d}-of-00002", records)
(HERE / "pictures.txt").write_text("\n".join(lines) + "\n")

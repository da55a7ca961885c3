#!/usr/bin/env python3
"""Reads and writes raw records; RAW.md of loader-formats is their specification. Needs numpy.

    python3 raw.py FILE.flr              prints what is in it
    python3 raw.py FILE.flr OUT.ppm      writes its pixels as PGM or PPM
    python3 raw.py --fixtures DIR        makes the tests' fixtures

read(bytes) gives a Record, whose pixels are uint8[rows, columns, samples]; read(bytes, top, bottom) reads only the
groups of these rows.
"""
import os
import struct
import sys
from dataclasses import dataclass

import numpy as np

MAGIC = b"\x89FLR\r\n\x1a\n"
HEADER = "<8sHBBIIIHBBI"


@dataclass
class Record:
    width: int
    height: int
    orientation: int
    top: int
    pixels: np.ndarray


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = CRC_TABLE[(crc ^ byte) & 0xFF] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def crc_entry(value):
    for _ in range(8):
        value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    return value


CRC_TABLE = [crc_entry(i) for i in range(256)]


def lz4_length(data, at, length):
    if length == 15:
        while True:
            at += 1
            length += data[at - 1]
            if data[at - 1] < 255:
                break
    return length, at


def lz4(data):
    """The content of an LZ4 block: literals and matches in turns, ending with literals."""
    out, at = bytearray(), 0
    while True:
        token = data[at]
        literals, at = lz4_length(data, at + 1, token >> 4)
        out += data[at : at + literals]
        at += literals
        if at == len(data):
            return bytes(out)
        distance = data[at] | data[at + 1] << 8
        match, at = lz4_length(data, at + 2, token & 15)
        for _ in range(match + 4):
            out.append(out[-distance])


def lz4_literals(data):
    """A block that says as literals what cannot be said by one match of the byte before."""
    run = len(data) - len(data.lstrip(data[:1])) - 1
    match = max(0, run - 5)
    out = bytearray()
    if match >= 4:
        out += bytes([0x10 | min(15, match - 4), data[0], 1, 0]) + lz4_more(match - 4)
        data = data[1 + match :]
    return bytes(out) + bytes([min(15, len(data)) << 4]) + lz4_more(len(data)) + data


def lz4_more(length):
    return b"" if length < 15 else b"\xff" * ((length - 15) // 255) + bytes([(length - 15) % 255])


def read(data, top=0, bottom=None):
    fields = struct.unpack_from(HEADER, data)
    magic, version, samples, compression, length, width, height, rows, orientation, zero, checksum = fields
    assert (magic, version, zero, length) == (MAGIC, 1, 0, len(data))
    assert samples in (1, 3) and compression in (0, 1) and 1 <= orientation <= 8
    groups = -(-height // rows)
    table = np.frombuffer(data, "<u4", 2 * groups, 32).reshape(groups, 2)
    assert crc32c(data[:28] + data[32 : 32 + 8 * groups]) == checksum
    starts = [32 + 8 * groups, *table[:, 0].tolist()]
    assert starts[-1] == len(data)
    bottom = height if bottom is None else bottom
    first, last = top // rows, (bottom - 1) // rows
    parts = []
    for group in range(first, last + 1):
        part = data[starts[group] : starts[group + 1]]
        assert crc32c(part) == table[group, 1]
        size = min(rows, height - group * rows) * width * samples
        part = lz4(part) if compression and len(part) != size else part
        assert len(part) == size
        parts.append(np.frombuffer(part, np.uint8).reshape(-1, width, samples))
    pixels = np.concatenate(parts)[top - first * rows : bottom - first * rows]
    return Record(width, height, orientation, top, pixels)


def write(pixels, rows=16, orientation=1, compressed=False):
    height, width, samples = pixels.shape
    parts = [pixels[y : y + rows].tobytes() for y in range(0, height, rows)]
    if compressed:
        blocks = [lz4_literals(part) for part in parts]
        parts = [block if len(block) < len(part) else part for block, part in zip(blocks, parts)]
    end, table = 32 + 8 * len(parts), b""
    for part in parts:
        end += len(part)
        table += struct.pack("<II", end, crc32c(part))
    header = struct.pack("<8sHBBIIIHBB", MAGIC, 1, samples, compressed, end, width, height, rows, orientation, 0)
    return header + struct.pack("<I", crc32c(header + table)) + table + b"".join(parts)


def fixtures(directory):
    y, x, c = np.indices((21, 7, 3))
    rgb = ((37 * y + 11 * x * x + 101 * c) % 256).astype(np.uint8)
    small = np.arange(12, dtype=np.uint8).reshape(2, 2, 3) * 20
    flat = np.where(np.indices((40, 9, 1))[0] < 30, 200, np.indices((40, 9, 1))[1]).astype(np.uint8)
    for name, record in {
        "rgb_7x21": write(rgb),
        "rgb_7x21_rows5_turned": write(rgb, rows=5, orientation=6),
        "gray_9x40_lz4": write(flat, compressed=True),
        "rgb_2x2": write(small, rows=1),
    }.items():
        with open(os.path.join(directory, name + ".flr"), "wb") as file:
            file.write(record)
        main(os.path.join(directory, name + ".flr"), os.path.join(directory, name + ".ppm"))


def main(name, out=None):
    with open(name, "rb") as file:
        record = read(file.read())
    samples = record.pixels.shape[2]
    print("%s: %d x %d, %d samples, orientation %d" % (name, record.width, record.height, samples, record.orientation))
    if out:
        with open(out, "wb") as file:
            file.write(b"P%d %d %d 255\n" % (5 if samples == 1 else 6, record.width, record.height))
            file.write(record.pixels.tobytes())


if __name__ == "__main__":
    fixtures(sys.argv[2]) if sys.argv[1:2] == ["--fixtures"] else main(*sys.argv[1:])

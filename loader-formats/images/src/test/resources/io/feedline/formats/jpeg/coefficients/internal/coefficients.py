#!/usr/bin/env python3
"""Reads coefficient records; COEFFICIENTS.md of loader-formats is their specification. Needs numpy.

    python3 coefficients.py FILE.flc              prints what is in it
    python3 coefficients.py FILE.flc OUT.txt      writes its coefficients as text, as the tests' fixtures are

read(bytes) gives a Record: the JPEG's header, and for each component its quantized coefficients as int16[rows of blocks,
columns of blocks, 64], in zigzag order, together with its 64 quantizers.
"""
import struct
import sys
from dataclasses import dataclass

import numpy as np

MAGIC = b"\x89FLC\r\n\x1a\n"
COLUMNS, ROWS, LANES = 8, 2, 16


@dataclass
class Record:
    jpeg_header: bytes
    width: int
    height: int
    coefficients: list
    quantizers: list


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


def jpeg_header(data):
    """(width, height, [(horizontal, vertical, quantizers)]) of the segments from SOI to SOS."""
    at, tables, frame = 2, {}, None
    while at < len(data):
        if data[at] != 0xFF or data[at + 1] in (0x00, 0xFF):
            at += 1
            continue
        marker, length = data[at + 1], struct.unpack(">H", data[at + 2 : at + 4])[0]
        body, at = data[at + 4 : at + 2 + length], at + 2 + length
        while marker == 0xDB and body:
            wide = body[0] >> 4
            tables[body[0] & 15] = np.frombuffer(body, ">u2" if wide else "u1", 64, 1).astype(np.int32)
            body = body[129 if wide else 65 :]
        if marker in (0xC0, 0xC1):
            frame = body
    height, width, count = struct.unpack(">HHB", frame[1:6])
    components = [frame[6 + 3 * c : 9 + 3 * c] for c in range(count)]
    if count == 1:
        return width, height, [(1, 1, tables[components[0][2]])]
    return width, height, [(c[1] >> 4, c[1] & 15, tables[c[2]]) for c in components]


def read_set(data, at):
    """int16[lane, place] of the set that begins at an offset, and where it ends."""
    values = np.zeros((LANES, 64), np.int16)
    count, wide, escapes = struct.unpack_from("<BBH", data, at)
    at += 4
    if count & 0x80:
        values[:, 0] = np.frombuffer(data, "i1", LANES, at + 2) + np.int32(struct.unpack_from("<h", data, at)[0])
        at += 2 + LANES
    else:
        values[:, 0] = np.frombuffer(data, "<i2", LANES, at)
        at += 2 * LANES
    count &= 0x7F
    masks = np.frombuffer(data, "<u2", count - 1, at)
    at += 2 * (count - 1)
    for place, mask in enumerate(masks, 1):
        lanes = [lane for lane in range(LANES) if mask >> lane & 1]
        if place < wide:
            values[lanes, place] = np.frombuffer(data, "i1", len(lanes), at)
            at += len(lanes)
        else:
            packed = np.frombuffer(data, "u1", (len(lanes) + 1) // 2, at)
            nibbles = np.stack([packed & 15, packed >> 4], -1).reshape(-1)[: len(lanes)].astype(np.int16)
            values[lanes, place] = nibbles - 16 * (nibbles > 7)
            at += len(packed)
    for where, value in struct.iter_unpack("<Hh", data[at : at + 4 * escapes]):
        values[where % LANES, where // LANES] = value
    return values, at + 4 * escapes


def read(data):
    magic, version, zero, length, header_length, bands, checksum = struct.unpack_from("<8sHHIIII", data)
    table = 28 + header_length
    assert (magic, version, zero, length) == (MAGIC, 1, 0, len(data))
    assert crc32c(data[:24] + data[28 : table + 8 * bands]) == checksum
    header = data[28:table]
    width, height, components = jpeg_header(header)
    across, down = components[0][:2]
    mcu_columns, mcu_rows = -(-width // (8 * across)), -(-height // (8 * down))
    groups = -(-mcu_columns // COLUMNS)
    assert bands == -(-mcu_rows // ROWS)
    planes = [np.zeros((bands * ROWS * v, groups * COLUMNS * h, 64), np.int16) for h, v, _ in components]
    at = table + 8 * bands
    for band in range(bands):
        end, checksum = struct.unpack_from("<II", data, table + 8 * band)
        assert crc32c(data[at:end]) == checksum
        lengths = struct.unpack_from("<%dH" % groups, data, at)
        at += 2 * groups
        for group in range(groups):
            group_end = at + lengths[group]
            for plane, (h, v, _) in zip(planes, components):
                for block in range(h * v):
                    lanes, at = read_set(data, at)
                    y, x = band * ROWS * v + block // h, group * COLUMNS * h + block % h
                    plane[y : y + ROWS * v : v, x : x + COLUMNS * h : h] = lanes.reshape(ROWS, COLUMNS, 64)
            assert at == group_end
        assert at == end
    assert at == len(data)
    planes = [p[: mcu_rows * v, : mcu_columns * h] for p, (h, v, _) in zip(planes, components)]
    return Record(header, width, height, planes, [q for _, _, q in components])


def main(name, out=None):
    with open(name, "rb") as file:
        record = read(file.read())
    print("%s: %d x %d, blocks %s" % (name, record.width, record.height, [p.shape[:2] for p in record.coefficients]))
    if out:
        with open(out, "w") as file:
            for c, plane in enumerate(record.coefficients):
                for y, x in np.ndindex(plane.shape[:2]):
                    values = np.trim_zeros(plane[y, x], "b")
                    print("%d,%d,%d,%s" % (c, y, x, " ".join(map(str, values))), file=file)


if __name__ == "__main__":
    main(*sys.argv[1:])

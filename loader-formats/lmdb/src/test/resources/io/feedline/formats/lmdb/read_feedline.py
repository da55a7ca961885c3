"""Reads databases that Feedline wrote, with Python's lmdb, lz4 and struct alone.

    python3 read_feedline.py DATABASE

Prints the metadata's kind, count and names, then a line for each sample: the CRC-32 of each part.
"""
import json
import struct
import sys
import zlib

import lmdb
import lz4.frame

ITEM_BYTES = [1, 1, 2, 4, 8, 2, 2, 4, 8, 1]
DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "bool",
          "uint16"]


def picture(value):
    """(label, key, encoded picture) of a value in a database of pictures."""
    label, key_bytes = struct.unpack_from("<iI", value)
    return label, value[8:8 + key_bytes].decode("utf-8"), value[8 + key_bytes:]


def tensors(value):
    """[(dtype, shape, bytes)] of a value in a database of tensors."""
    content = lz4.frame.decompress(value)
    magic, _, count, at = struct.unpack_from("<4sBBH", content)
    assert magic == b"FLT1"
    result, header = [], 8
    for _ in range(count):
        dtype, rank = struct.unpack_from("<BB", content, header)
        shape = struct.unpack_from(f"<{rank}q", content, header + 2)
        header += 2 + 8 * rank
        size = ITEM_BYTES[dtype]
        for length in shape:
            size *= length
        result.append((DTYPES[dtype], shape, content[at:at + size]))
        at += size
    assert at == len(content)
    return result


def main(path):
    env = lmdb.open(path, readonly=True)
    with env.begin() as txn:
        metadata = json.loads(txn.get(b"__feedline__"))
        assert metadata["format"] == "feedline" and metadata["version"] == 1
        images = metadata["kind"] == "images"
        names = metadata["classes"] if images else [field["name"] for field in metadata["fields"]]
        print(metadata["kind"], metadata["count"], *names)
        for index in range(metadata["count"]):
            value = txn.get(struct.pack(">Q", index))
            if images:
                label, key, encoded = picture(value)
                print(label, key, "%08x" % zlib.crc32(encoded))
            else:
                print(*(f"{d}{list(s)}{zlib.crc32(b):08x}".replace(" ", "") for d, s, b in tensors(value)))


main(sys.argv[1])

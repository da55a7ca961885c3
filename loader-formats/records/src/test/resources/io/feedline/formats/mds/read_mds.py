#!/usr/bin/env python3
"""Lists what Python sees in an MDS dataset, by streaming's layout.

    python3 read_mds.py DIRECTORY

A line a value: sample, column, value: numbers and text as they are, bytes and arrays by their CRC-32.
"""
import gzip
import hashlib
import subprocess
import sys
import zlib

from mds_format import read


def inflate(compression, data):
    if compression.startswith("gz"):
        return gzip.decompress(data)
    return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


sys.stdout.reconfigure(encoding="utf-8")
for number, (shard, sample) in enumerate(read(sys.argv[1], inflate)):
    for name, value in sample.items():
        if hasattr(value, "tobytes"):
            value = "%s (%s) %08x" % (value.dtype.name, ", ".join(map(str, value.shape)), zlib.crc32(value.tobytes()))
        elif isinstance(value, bytes):
            value = "%08x" % zlib.crc32(value)
        print("%d\t%s\t%s" % (number, name, value))

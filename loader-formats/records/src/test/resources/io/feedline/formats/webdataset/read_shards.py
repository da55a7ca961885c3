#!/usr/bin/env python3
"""Lists the entries of tar archives as Python's tarfile sees them.

    python3 read_shards.py FILE...

A line an entry: name, type, mode, user, modification time, length, CRC-32.
"""
import sys
import tarfile
import zlib

sys.stdout.reconfigure(encoding="utf-8")
for path in sys.argv[1:]:
    with tarfile.open(path, "r|", encoding="utf-8", errors="strict") as tar:
        for member in tar:
            data = tar.extractfile(member).read()
            fields = (member.name, member.type.decode(), member.mode, member.uid, int(member.mtime), len(data))
            print("\t".join(map(str, fields)) + "\t%08x" % zlib.crc32(data))

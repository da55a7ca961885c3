"""Reads pictures by recordio.py: read_records.py DIRECTORY_OF_recordio.py REC IDX OUT."""

import sys
import zlib

directory, rec, idx, out = sys.argv[1:]
sys.path.insert(0, directory)
import recordio

with open(rec, "rb") as stream, open(out, "w", encoding="utf-8") as lines:
    index = {}
    for line in open(idx):
        key, position = line.strip().split("\t")
        index[int(key)] = int(position)
    sequential = []
    while (record := recordio.next_record(stream)) is not None:
        sequential.append(record)
    assert len(sequential) == len(index)
    for number, key in enumerate(sorted(index)):
        stream.seek(index[key])
        record = recordio.next_record(stream)
        assert record == sequential[number]
        header, data = recordio.unpack(record)
        lines.write(f"{key},{header.id},{header.label:g},{zlib.crc32(data):08x}\n")

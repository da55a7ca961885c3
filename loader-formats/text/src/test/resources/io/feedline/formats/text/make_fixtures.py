"""Makes the fixtures of this directory: python3 make_fixtures.py, with numpy and pyarrow.

Lines as Python's json writes and reads them, packed by its gzip and by pyarrow's Zstandard; arrays as
numpy's tofile writes them; .bin and .idx by the calls that megatron/core/datasets/indexed_dataset.py
makes (_IndexWriter.write, IndexedDatasetBuilder.add_document), which itself needs torch.
"""
import gzip
import json
import random
import struct
from pathlib import Path

import numpy
import pyarrow

HERE = Path(__file__).parent


def row(i, draw):
    return {
        "text": f"line {i} äß€😀 \"quoted\" \\ \t" + "x" * (i % 7),
        "label": draw.randrange(-(2**63), 2**63) if i % 5 else i,
        "score": draw.uniform(-1, 1) * 10 ** draw.randrange(-300, 300),
        "good": i % 3 == 0,
        "note": None if i % 4 else "",
        "tokens": [draw.randrange(65536) for _ in range(i % 5)],
        "meta": {"source": "wiki" if i % 2 else "books", "pages": [1.5, i, [True]]},
    }


def flat(path, value, into):
    """One line a value: its path, type and value, floats in hexadecimal."""
    if isinstance(value, dict):
        for key in value:
            flat(f"{path}/{key}", value[key], into)
    elif isinstance(value, list):
        into.append(f"{path} list {len(value)}")
        for i, each in enumerate(value):
            flat(f"{path}/{i}", each, into)
    elif isinstance(value, bool) or value is None:
        into.append(f"{path} {value}".lower())
    elif isinstance(value, int):
        into.append(f"{path} int {value}")
    elif isinstance(value, float):
        into.append(f"{path} float {struct.pack('>d', value).hex()}")
    else:
        into.append(f"{path} str {value.encode().hex()}")


def zstd(data):
    return pyarrow.Codec("zstd").compress(data, asbytes=True)


def lines():
    draw = random.Random(1)
    texts = [json.dumps(row(i, draw), ensure_ascii=i % 2 == 0) + "\n" for i in range(40)]
    data = [text.encode() for text in texts]
    (HERE / "lines.jsonl").write_bytes(b"".join(data))
    (HERE / "lines.jsonl.gz").write_bytes(
        b"".join(gzip.compress(b"".join(part), mtime=0) for part in (data[:13], data[13:14], data[14:]))
    )
    skipped = struct.pack("<II", 0x184D2A53, 5) + b"never"
    (HERE / "lines.jsonl.zst").write_bytes(
        skipped + zstd(b"".join(data[:20])) + skipped + zstd(b"".join(data[20:]))
    )
    values = []
    for i, text in enumerate(texts):
        flat(str(i), json.loads(text), values)
    (HERE / "values.txt").write_text("\n".join(values) + "\n")


def tokens():
    draw = numpy.random.default_rng(2)
    for name in ("uint8", "int8", "int16", "uint16", "int32", "uint32", "int64"):
        limits = numpy.iinfo(name)
        low, high = max(limits.min, -(2**31)), min(limits.max, 2**31 - 1)
        ids = draw.integers(low, high, 50, endpoint=True).astype(name)
        ids[:2] = low, high
        ids.tofile(HERE / f"{name}.bin")
        (HERE / f"{name}.txt").write_text(" ".join(str(i) for i in ids) + "\n")


def megatron(name, dtype, code, modes):
    draw = numpy.random.default_rng(3)
    documents = [[5, 1], [7], [], [3, 12, 1], [9]]
    lengths, offsets, starts, told = [], [], [0], []
    with open(HERE / f"{name}.bin", "wb") as out:
        for document in documents:
            for length in document:
                ids = draw.integers(0, 60000, length).astype(dtype)
                offsets.append(out.tell())
                lengths.append(length)
                out.write(ids.tobytes(order="C"))
                told.append(" ".join(str(i) for i in ids))
            starts.append(len(lengths))
    with open(HERE / f"{name}.idx", "wb") as out:
        out.write(b"MMIDIDX\x00\x00" + struct.pack("<Q", 1) + struct.pack("<B", code))
        out.write(struct.pack("<QQ", len(lengths), len(starts)))
        out.write(numpy.array(lengths, dtype=numpy.int32).tobytes(order="C"))
        out.write(numpy.array(offsets, dtype=numpy.int64).tobytes(order="C"))
        out.write(numpy.array(starts, dtype=numpy.int64).tobytes(order="C"))
        if modes:
            out.write(numpy.array([i % 2 for i in lengths], dtype=numpy.int8).tobytes(order="C"))
    (HERE / f"{name}.txt").write_text("\n".join(told) + "\n")


lines()
tokens()
megatron("gpt2_text_document", numpy.uint16, 8, False)
megatron("modes_text_document", numpy.int32, 4, True)

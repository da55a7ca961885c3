"""Makes the tables of these tests with pyarrow 25, and values.jsonl with what pyarrow reads from them.

    pip install pyarrow && python make_fixtures.py

Floats are the bits of the nearest double, in hexadecimal; dates and times are the stored numbers.
"""

import datetime
import decimal
import gzip
import json
import pathlib
import random
import struct

import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq

HERE = pathlib.Path(__file__).parent
ROWS = 60
rng = random.Random(3)


def some(values, share=0.2):
    """Some of the values are null."""
    return [None if rng.random() < share else v for v in values]


def ints(low, high):
    return [low, high] + [rng.randint(low, high) for _ in range(ROWS - 2)]


def floats():
    return [0.0, -0.0] + [rng.gauss(0, 10.0 ** rng.randint(-6, 6)) for _ in range(ROWS - 2)]


def lists(value, most=4):
    return [[value() for _ in range(rng.randint(0, most))] for _ in range(ROWS)]


def decimals(digits, scale):
    return [decimal.Decimal(rng.randint(-(10**digits) + 1, 10**digits - 1)).scaleb(-scale) for _ in range(ROWS)]


WORDS = ["red", "gr\u00fcn", "blue, \"light\"", "two\nlines", "", "x" * 50]
text = [rng.choice(WORDS) for _ in range(ROWS)]
columns = {
    "i8": pa.array(ints(-(2**7), 2**7 - 1), pa.int8()),
    "i16": pa.array(ints(-(2**15), 2**15 - 1), pa.int16()),
    "i32": pa.array(ints(-(2**31), 2**31 - 1), pa.int32()),
    "i64": pa.array(ints(-(2**63), 2**63 - 1), pa.int64()),
    "u8": pa.array(ints(0, 2**8 - 1), pa.uint8()),
    "u16": pa.array(ints(0, 2**16 - 1), pa.uint16()),
    "u32": pa.array(ints(0, 2**32 - 1), pa.uint32()),
    "u64": pa.array(ints(0, 2**63 - 1), pa.uint64()),
    "f16": pa.array([struct.unpack("e", struct.pack("e", rng.gauss(0, 3)))[0] for _ in range(ROWS)]).cast(pa.float16()),
    "f32": pa.array(floats(), pa.float32()),
    "f64": pa.array(floats(), pa.float64()),
    "b": pa.array([rng.random() < 0.5 for _ in range(ROWS)], pa.bool_()),
    "dec9": pa.array(decimals(9, 2), pa.decimal128(9, 2)),
    "dec18": pa.array(decimals(18, 4), pa.decimal128(18, 4)),
    "dec38": pa.array(decimals(37, 6), pa.decimal128(38, 6)),
    "date": pa.array([datetime.date(1970, 1, 1) + datetime.timedelta(d) for d in ints(-9000, 30000)], pa.date32()),
    "time": pa.array(ints(0, 86_399_999), pa.int32()).cast(pa.time32("ms")),
    "ts_us": pa.array(ints(-(2**50), 2**50), pa.int64()).cast(pa.timestamp("us")),
    "ts_ns": pa.array(ints(-(2**60), 2**60), pa.int64()).cast(pa.timestamp("ns", "UTC")),
    "text": pa.array(text, pa.string()),
    "large": pa.array(text, pa.large_string()),
    "category": pa.array(text, pa.string()).dictionary_encode(),
    "bytes": pa.array([rng.randbytes(rng.randint(0, 9)) for _ in range(ROWS)], pa.binary()),
    "fixed": pa.array([rng.randbytes(3) for _ in range(ROWS)], pa.binary(3)),
    "tokens": pa.array(lists(lambda: rng.randint(0, 50256)), pa.list_(pa.int32())),
    "weights": pa.array(lists(lambda: rng.random(), 40), pa.list_(pa.float32())),
    "triple": pa.array([[rng.random() for _ in range(3)] for _ in range(ROWS)], pa.list_(pa.float64(), 3)),
    "words": pa.array(lists(lambda: rng.choice(WORDS)), pa.large_list(pa.string())),
    "flags": pa.array(lists(lambda: rng.random() < 0.5), pa.list_(pa.bool_())),
    "person": pa.array(
        [None if i % 7 == 3 else {"age": i, "codes": [i] * (i % 3)} for i in range(ROWS)],
        pa.struct([("age", pa.int32()), ("codes", pa.list_(pa.int64()))]),
    ),
    "null_int": pa.array(some(ints(-9, 9)), pa.int32()),
    "null_float": pa.array(some(floats()), pa.float64()),
    "null_text": pa.array(some(text), pa.string()),
    "null_category": pa.array(some(text), pa.string()).dictionary_encode(),
    "null_list": pa.array(some([some(v) for v in lists(lambda: rng.randint(0, 9))]), pa.list_(pa.int64())),
    "nothing": pa.nulls(ROWS),
}
table = pa.table(columns)


def canonical(value, kind):
    if value is None:
        return None
    if pa.types.is_dictionary(kind):
        return canonical(value, kind.value_type)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return [canonical(each, kind.value_type) for each in value]
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "%016x" % struct.unpack("<Q", struct.pack("<d", float(value)))[0]
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return value.hex()
    return value


def flat():
    """The columns by their names here: those of a structure by themselves, times as numbers."""
    for name in table.column_names:
        column = table[name]
        kind = column.type
        if pa.types.is_struct(kind):
            for field in kind:
                inner = pa.chunked_array([pa.array([None if v is None else v[field.name] for v in column.to_pylist()], field.type)])
                yield "%s.%s" % (name, field.name), inner
        elif pa.types.is_date(kind) or pa.types.is_time(kind):
            yield name, column.cast(pa.int32())
        elif pa.types.is_timestamp(kind):
            yield name, column.cast(pa.int64())
        else:
            yield name, column


values = {name: [canonical(v, column.type) for v in column.to_pylist()] for name, column in flat()}
with open(HERE / "values.jsonl", "w") as out:
    for row in range(ROWS):
        out.write(json.dumps({name: column[row] for name, column in values.items()}) + "\n")

for version in ("1.0", "2.0"):
    for codec in ("none", "snappy", "gzip", "zstd"):
        pq.write_table(
            table,
            HERE / ("%s_v%s.parquet" % (codec, version[0])),
            compression=codec,
            data_page_version=version,
            row_group_size=25,
            data_page_size=100,
            write_batch_size=7,
        )
pq.write_table(table, HERE / "plain.parquet", use_dictionary=False, compression="none", use_deprecated_int96_timestamps=True)
pq.write_table(
    table.select(["f32", "f64", "i32", "i64", "u8", "text"]),
    HERE / "encodings.parquet",
    use_dictionary=False,
    column_encoding={
        "f32": "BYTE_STREAM_SPLIT",
        "f64": "BYTE_STREAM_SPLIT",
        "i32": "DELTA_BINARY_PACKED",
        "i64": "DELTA_BINARY_PACKED",
        "u8": "BYTE_STREAM_SPLIT",
        "text": "DELTA_LENGTH_BYTE_ARRAY",
    },
)

with pa.OSFile(str(HERE / "file.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
    writer.write_table(table, max_chunksize=25)
with pa.OSFile(str(HERE / "stream.arrow"), "wb") as sink, pa.ipc.new_stream(sink, table.schema) as writer:
    writer.write_table(table, max_chunksize=25)
for codec in ("lz4", "zstd"):
    pa.feather.write_feather(table, str(HERE / (codec + ".feather")), compression=codec, chunksize=25)

# Each batch adds to the dictionary of those before it.
colors = ["red", "green", "blue", "white"]
growing = [
    pa.record_batch(
        [pa.DictionaryArray.from_arrays(pa.array(numbers, pa.int8()), pa.array(colors[:known]))],
        names=["color"],
    )
    for known, numbers in ((2, [0, 1, 0]), (3, [1, 2, None]), (4, [2, 3, 0]))
]
deltas = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
for name, make in (("deltas_file.arrow", pa.ipc.new_file), ("deltas_stream.arrow", pa.ipc.new_stream)):
    with pa.OSFile(str(HERE / name), "wb") as sink, make(sink, growing[0].schema, options=deltas) as writer:
        for batch in growing:
            writer.write_batch(batch)

simple = table.select(["i32", "i64", "f64", "b", "text", "null_int"])
pa.csv.write_csv(simple, HERE / "simple.csv")
simple_csv = (HERE / "simple.csv").read_bytes()
(HERE / "simple.csv.gz").write_bytes(gzip.compress(simple_csv, mtime=0))
(HERE / "simple.csv.zst").write_bytes(pa.compress(simple_csv, "zstd", asbytes=True))

lists_alone = table.select(["tokens", "person"])
pq.write_table(lists_alone, HERE / "lists.parquet")
pa.feather.write_feather(lists_alone, str(HERE / "lists.feather"), compression="uncompressed")

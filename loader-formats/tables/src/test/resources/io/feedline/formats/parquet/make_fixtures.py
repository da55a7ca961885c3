"""Makes the Parquet files of these tests with pyarrow 25, and values.txt with what is in them.

    pip install pyarrow pillow && python make_fixtures.py

The layout is that of Hugging Face's datasets: a column "image", a structure of bytes and path, a
column "label", and a description of both in the metadata of the schema.
"""

import decimal
import io
import json
import pathlib
import random
import zlib

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

HERE = pathlib.Path(__file__).parent
CLASSES = ["ant", "bee", "cat"]
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def picture(seed, kind):
    noise = random.Random(seed)
    pixels = bytes(noise.randrange(256) for _ in range(3 * 6 * 5))
    out = io.BytesIO()
    Image.frombytes("RGB", (6, 5), pixels).resize((18, 15)).save(out, kind, quality=80)
    return out.getvalue()


PICTURES = [picture(i, "JPEG" if i % 3 else "PNG") for i in range(12)]


def description(label="label", names=CLASSES):
    features = {"image": {"_type": "Image"}, label: {"names": names, "_type": "ClassLabel"}}
    return {"huggingface": json.dumps({"info": {"features": features}})}


def table(rows, label_type=pa.int64(), metadata=True):
    images = [{"bytes": PICTURES[i], "path": "%d.png" % i} for i in rows]
    labels = pa.array([i % 3 for i in rows], label_type)
    made = pa.table({"image": pa.array(images, IMAGE), "label": labels})
    return made.replace_schema_metadata(description()) if metadata else made


values = []


def note(name, rows):
    for image, label in rows:
        crc = "null" if image is None else "%08x" % zlib.crc32(image)
        values.append("%s,%s,%s" % (name, "null" if label is None else label, crc))


def write(name, made, rows, **options):
    options = {"row_group_size": 5, **options}
    pq.write_table(made, HERE / name, **options)
    note(name, rows)


def usual(name, metadata=True, **options):
    write(name, table(range(12), metadata=metadata), [(PICTURES[i], i % 3) for i in range(12)], **options)


usual("snappy.parquet", compression="snappy")
usual("zstd.parquet", compression="zstd")
usual("gzip.parquet", compression="gzip")
usual("lz4.parquet", compression="lz4")
usual("none.parquet", compression="none", use_dictionary=False)
usual("v2_snappy.parquet", compression="snappy", data_page_version="2.0")
usual("v2_none.parquet", compression="none", data_page_version="2.0", use_dictionary=False)
usual("checksums.parquet", compression="zstd", write_page_checksum=True)
usual("page_index.parquet", compression="snappy", write_page_index=True)
usual(
    "pages.parquet",
    row_group_size=12,
    compression="snappy",
    use_dictionary=False,
    data_page_size=64,
    write_batch_size=2,
)
usual(
    "deltas.parquet",
    compression="zstd",
    use_dictionary=False,
    column_encoding={
        "image.bytes": "DELTA_LENGTH_BYTE_ARRAY",
        "image.path": "DELTA_BYTE_ARRAY",
        "label": "DELTA_BINARY_PACKED",
    },
)
usual("prefixes.parquet", use_dictionary=False, column_encoding={"image.bytes": "DELTA_BYTE_ARRAY"})
usual("brotli.parquet", compression="brotli")

# The same images again and again: all pages refer to a dictionary.
rows = [0, 1, 0, 1, 1, 0, 2, 2, 2, 0]
write("repeated.parquet", table(rows), [(PICTURES[i], i % 3) for i in rows], compression="snappy")

# Nulls of each kind: no structure, no bytes, no label; and labels of -1, as test splits have.
images = [
    {"bytes": PICTURES[0], "path": "a.png"},
    None,
    {"bytes": None, "path": "elsewhere.png"},
    {"bytes": PICTURES[3], "path": None},
    {"bytes": PICTURES[4], "path": None},
]
labels = [0, 1, 2, None, -1]
nulls = pa.table({"image": pa.array(images, IMAGE), "label": pa.array(labels, pa.int64())})
write(
    "nulls.parquet",
    nulls.replace_schema_metadata(description()),
    [(image and image["bytes"], label) for image, label in zip(images, labels)],
)

# Plain columns, as pandas writes them, among others.
flat = pa.table(
    {
        "caption": [["a", "b"]] * 4,
        "jpg": pa.array(PICTURES[:4], pa.binary()),
        "cls": pa.array([2, 1, 0, 1], pa.int32()),
        "score": [0.5, 1.5, 2.5, 3.5],
    }
)
write("flat.parquet", flat, list(zip(PICTURES[:4], [2, 1, 0, 1])))

# One data set in two files, and another split beside it.
for shard in range(2):
    part = range(6 * shard, 6 * shard + 6)
    name = "split/train-%05d-of-00002.parquet" % shard
    (HERE / "split").mkdir(exist_ok=True)
    write(name, table(part), [(PICTURES[i], i % 3) for i in part], row_group_size=4)
write("split/test-00000-of-00001.parquet", table([11]), [(PICTURES[11], 2)])

# Two columns that may be the label.
two = table(range(3)).append_column("coarse", pa.array([0, 0, 1], pa.int64()))
features = {
    "image": {"_type": "Image"},
    "label": {"names": CLASSES, "_type": "ClassLabel"},
    "coarse": {"names": ["insect", "mammal"], "_type": "ClassLabel"},
}
two = two.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
write("two_labels.parquet", two, [(PICTURES[i], i % 3) for i in range(3)])

# Files and row groups without rows, as a filter leaves them.
def in_groups(name, groups):
    with pq.ParquetWriter(HERE / name, table([]).schema) as writer:
        for group in groups:
            writer.write_table(table(group))
            note(name, [(PICTURES[i], i % 3) for i in group])


(HERE / "empty").mkdir(exist_ok=True)
in_groups("empty/a.parquet", [])
in_groups("empty/b.parquet", [[]])
in_groups("empty/c.parquet", [[], [0, 1], [], [2], []])

# Labels that are none, or not whole numbers.
LABELS = {
    "texts": pa.array(["ant", "bee"]),
    "floats": pa.array([0.0, 1.0]),
    "bools": pa.array([True, False]),
    "decimals": pa.array([decimal.Decimal("0.10"), decimal.Decimal("1.20")], pa.decimal128(7, 2)),
    "dates": pa.array([0, 1], pa.date32()),
    "times": pa.array([0, 1], pa.timestamp("ns")),
    "lists": pa.array([[0], [1, 2]]),
    "dictionary": pa.array(["ant", "bee"]).dictionary_encode(),
    "unsigned": pa.array([1, 2**32 - 1], pa.uint32()),
    "large": pa.array([1, 2**64 - 1], pa.uint64()),
    "nulls": pa.nulls(2),
}
(HERE / "labels").mkdir(exist_ok=True)
for kind, labels in LABELS.items():
    made = pa.table({"image": pa.array(PICTURES[:2]), "label": labels})
    pq.write_table(made, HERE / ("labels/%s.parquet" % kind), store_decimal_as_integer=True)
mixed = pa.table({"image": pa.array(PICTURES[:2]), "label": ["ant", "bee"], "y": [17, 18]})
pq.write_table(mixed, HERE / "labels/mixed.parquet")
named = pa.table({"image": pa.array(PICTURES[:2]), "label": [1, 0], "class": ["bee", "ant"]})
pq.write_table(named, HERE / "labels/named.parquet")

# Labels that are texts, in two files; and columns of one name beside the others.
(HERE / "classes").mkdir(exist_ok=True)
for shard, names in enumerate([["ant", "\N{HONEYBEE}", None, "ant"], ["Zebra", "\u00e4rgernis", "ant"]]):
    made = pa.table({"image": pa.array(PICTURES[: len(names)]), "label": names})
    pq.write_table(made, HERE / ("classes/train-%05d-of-00002.parquet" % shard))
several = pa.Table.from_arrays(
    [
        pa.array(PICTURES[:2]),
        pa.array(["bee", "ant"]),
        pa.array(["a", "b"]),
        pa.array(["c", "d"]),
        pa.array(["e", "f"]),
        pa.array(["g", "h"]),
        pa.array([{"b": "i"}, {"b": "j"}]),
    ],
    names=["image", "label", "key", "twice", "twice", "a.b", "a"],
)
pq.write_table(several, HERE / "several.parquet")

(HERE / "values.txt").write_text("\n".join(values) + "\n")

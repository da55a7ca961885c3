"""Makes the Arrow files of these tests with pyarrow 25, and values.txt with what is in them.

    pip install pyarrow pillow && python make_fixtures.py

The layout is that of Hugging Face's datasets, as in the fixtures of Parquet: a column "image", a
structure of bytes and path, a column "label", and a description of both in the schema's metadata.
"""

import io
import json
import pathlib
import random
import zlib

import pyarrow as pa
import pyarrow.feather as feather
from PIL import Image

HERE = pathlib.Path(__file__).parent
CLASSES = ["ant", "bee", "cat"]
IMAGE = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
LARGE = pa.struct([("path", pa.large_string()), ("bytes", pa.large_binary())])
V4 = pa.ipc.IpcWriteOptions(metadata_version=pa.ipc.MetadataVersion.V4)
values = []


def picture(seed, kind):
    noise = random.Random(seed)
    pixels = bytes(noise.randrange(256) for _ in range(3 * 6 * 5))
    out = io.BytesIO()
    Image.frombytes("RGB", (6, 5), pixels).resize((18, 15)).save(out, kind, quality=80)
    return out.getvalue()


PICTURES = [picture(i, "JPEG" if i % 3 else "PNG") for i in range(12)]


def described(made, names=CLASSES):
    features = {"image": {"_type": "Image"}, "label": {"names": names, "_type": "ClassLabel"}}
    return made.replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})


def table(rows, image=IMAGE, label=pa.int64(), names=CLASSES):
    images = [{"bytes": PICTURES[i], "path": "%d.png" % i} for i in rows]
    columns = {"image": pa.array(images, image), "label": pa.array([i % 3 for i in rows], label)}
    return described(pa.table(columns), names)


def write(name, made, rows, new=pa.ipc.new_stream, batch=5, options=None):
    path = HERE / name
    path.parent.mkdir(exist_ok=True)
    with new(str(path), made.schema, options=options) as writer:
        writer.write_table(made, max_chunksize=batch)
    note(name, rows)


def note(name, rows):
    for image, label in rows:
        crc = "null" if image is None else "%08x" % zlib.crc32(image)
        values.append("%s,%s,%s" % (name, "null" if label is None else label, crc))


def of(rows):
    return [(PICTURES[i], i % 3) for i in rows]


ALL = range(12)
write("stream.arrow", table(ALL), of(ALL))
write("file.arrow", table(ALL), of(ALL), new=pa.ipc.new_file)
write("int32.arrow", table(ALL, label=pa.int32()), of(ALL))
write("uint8.arrow", table(ALL, label=pa.uint8()), of(ALL))
write("large.arrow", table(ALL, image=LARGE), of(ALL), new=pa.ipc.new_file)
write("sliced.arrow", table(ALL).slice(2, 9), of(range(2, 11)), batch=4)
write("part/data-00000-of-00002.arrow", table(range(6)), of(range(6)), batch=4)
write("part/data-00001-of-00002.arrow", table(range(6, 12)), of(range(6, 12)), batch=4)
write("other_classes.arrow", table(range(3), names=["x", "y", "z"]), of(range(3)))
write("v4.arrow", table(ALL), of(ALL), options=V4)

# Columns of every sort in front: their buffers are passed over.
def among(n):
    return {
        "nothing": pa.nulls(n),
        "score": pa.array([0.5] * n),
        "flag": pa.array([True, None] * (n // 2)),
        "list": pa.array([[1, 2], [3]] * (n // 2)),
        "fixed": pa.array([[1, 2]] * n, pa.list_(pa.int8(), 2)),
        "view": pa.array(["a text that is longer than twelve bytes", "short"] * (n // 2), pa.string_view()),
        "listview": pa.array([[1], [2, 3]] * (n // 2), pa.list_view(pa.int8())),
        "word": pa.array(["x", "y"] * (n // 2)).dictionary_encode(),
        "runs": pa.RunEndEncodedArray.from_arrays([n // 2, n], [1, 2]),
        "union": pa.UnionArray.from_sparse(pa.array([0] * n, pa.int8()), [pa.array(range(n))]),
        "dense": pa.UnionArray.from_dense(pa.array([0] * n, pa.int8()), pa.array(range(n), pa.int32()), [pa.array(range(n))]),
        "map": pa.array([[("k", 1)]] * n, pa.map_(pa.string(), pa.int8())),
        "deep": pa.array([{"a": {"b": 1}}] * n),
    }


flat = pa.table({**among(4), "jpg": pa.array(PICTURES[:4]), "label": pa.array([0, 1, 2, 0])})
write("among.arrow", flat, of(range(4)), batch=4)
# A union of version 4 has one buffer more; the footer says version 5 nevertheless.
write("among_v4.arrow", flat, of(range(4)), new=pa.ipc.new_file, batch=2, options=V4)

# Nulls of each kind: no structure, no bytes, no label; and labels of -1, as test splits have.
images = [
    {"bytes": PICTURES[0], "path": "a.png"},
    None,
    {"bytes": None, "path": "elsewhere.png"},
    {"bytes": PICTURES[3], "path": None},
    {"bytes": PICTURES[4], "path": None},
]
labels = [0, 1, 2, None, -1]
nulls = described(pa.table({"image": pa.array(images, IMAGE), "label": pa.array(labels, pa.int64())}))
write("nulls.arrow", nulls, [(i and i["bytes"], l) for i, l in zip(images, labels)])

# What is refused.
plain = pa.table({"image": pa.array(PICTURES[:4]), "label": pa.array([0, 1, 2, 0])})
feather.write_feather(plain, HERE / "lz4.feather", compression="lz4")
feather.write_feather(plain, HERE / "zstd.feather", compression="zstd")
feather.write_feather(plain, HERE / "plain.feather", compression="uncompressed")
write("view.arrow", pa.table({"image": pa.array(PICTURES[:4], pa.binary_view())}), [])
write("lists.arrow", pa.table({"image": pa.array([[PICTURES[0]]])}), [])
write("dictionary.arrow", pa.table({"image": pa.array(PICTURES[:4]).dictionary_encode()}), [])

# A file without rows, and one with such batches.
write("empty/a.arrow", table([]), [])
with pa.ipc.new_stream(str(HERE / "empty/b.arrow"), table([]).schema) as writer:
    for rows in [[], [0, 1], [], [2], []]:
        for batch in table(rows).to_batches() or [pa.RecordBatch.from_pylist([], table([]).schema)]:
            writer.write_batch(batch)
note("empty/b.arrow", of(range(3)))

# Labels that are none, or not whole numbers.
LABELS = {
    "texts": pa.array(["ant", "bee"]),
    "floats": pa.array([0.0, 1.0]),
    "bools": pa.array([True, False]),
    "dates": pa.array([0, 1], pa.date32()),
    "lists": pa.array([[0], [1, 2]]),
    "dictionary": pa.array(["ant", "bee"]).dictionary_encode(),
    "large": pa.array([1, 2**64 - 1], pa.uint64()),
    "nulls": pa.nulls(2),
}
for kind, labels in LABELS.items():
    write("labels/%s.arrow" % kind, pa.table({"image": pa.array(PICTURES[:2]), "label": labels}), [])

(HERE / "values.txt").write_text("\n".join(values) + "\n")

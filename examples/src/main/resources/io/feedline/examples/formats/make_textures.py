"""Makes textures.parquet, as Hugging Face's datasets would write it: 48 small JPEGs of 6 classes.

    pip install pyarrow pillow && python make_textures.py
"""

import io
import json
import math
import pathlib

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

CLASSES = ["horizontal", "vertical", "rising", "falling", "rings", "checks"]
SIDE = 40


def brightness(kind, x, y, phase):
    if kind == 4:
        return math.sin(math.hypot(x - 20, y - 20) * 0.9 + phase)
    if kind == 5:
        return math.sin(x * 0.8 + phase) * math.sin(y * 0.8 + phase)
    return math.sin((y, x, x + y, x - y)[kind] * 0.8 + phase)


def texture(kind, number):
    image = Image.new("RGB", (SIDE, SIDE))
    tint = (90 + 20 * (number % 5), 110 + 9 * (number % 7), 150 - 11 * (number % 4))
    for y in range(SIDE):
        for x in range(SIDE):
            light = brightness(kind, x, y, number)
            image.putpixel((x, y), tuple(int(c + 80 * light) for c in tint))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=60)
    return out.getvalue()


labels = [(i * 5) % 6 if i % 2 else (i * 7 + i // 6) % 6 for i in range(48)]
images = [{"bytes": texture(label, i), "path": "%d.jpg" % i} for i, label in enumerate(labels)]
structure = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
features = {"image": {"_type": "Image"}, "label": {"names": CLASSES, "_type": "ClassLabel"}}
table = pa.table(
    {"image": pa.array(images, structure), "label": pa.array(labels, pa.int64())}
).replace_schema_metadata({"huggingface": json.dumps({"info": {"features": features}})})
pq.write_table(
    table, pathlib.Path(__file__).with_name("textures.parquet"), row_group_size=8, compression="snappy"
)

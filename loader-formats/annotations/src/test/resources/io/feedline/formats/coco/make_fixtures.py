"""Makes a small data set with COCO's annotations, and what pycocotools 2.0.11 makes of it.

    pip install pycocotools pillow numpy && python make_fixtures.py

outlines.json has outlines of every kind with the CRC-32 of the mask that pycocotools decodes, row by
row. images/ and instances.json, keypoints.json and captions.json are a data set; expected.txt has what
pycocotools' COCO finds in it.
"""

import json
import pathlib
import random
import zlib

import numpy as np
from PIL import Image
from pycocotools import mask as masks
from pycocotools.coco import COCO

HERE = pathlib.Path(__file__).parent
noise = random.Random(5)


def crc(mask):
    return "%08x" % zlib.crc32(np.ascontiguousarray(mask, dtype=np.uint8).tobytes())


def decoded(segmentation, height, width):
    coded = masks.frPyObjects(segmentation, height, width)
    return masks.decode(masks.merge(coded) if isinstance(coded, list) else coded)


def polygon(height, width, kind):
    corners = noise.randrange(3, 12)
    if kind == "inside":
        return [round(noise.uniform(0, size), 2) for _ in range(corners) for size in (width, height)]
    if kind == "beyond":
        return [
            round(noise.uniform(-size, 2 * size), 2) for _ in range(corners) for size in (width, height)
        ]
    if kind == "whole":
        return [
            float(noise.randrange(-1, size + 2)) for _ in range(corners) for size in (width, height)
        ]
    if kind == "fine":
        return [noise.uniform(0, size) for _ in range(corners) for size in (width, height)]
    if kind == "fifths":
        return [
            noise.randrange(0, 10 * size) / 10 for _ in range(corners) for size in (width, height)
        ]
    if kind == "line":
        x, y = noise.randrange(width), noise.randrange(height)
        return [x, y, x + 3, y, x + 3, y, x, y]
    raise ValueError(kind)


outlines = []


def case(height, width, segmentation):
    mask = decoded(segmentation, height, width)
    outlines.append(
        {"size": [height, width], "segmentation": segmentation, "area": int(mask.sum()), "crc": crc(mask)}
    )


KINDS = ["inside", "beyond", "whole", "fine", "fifths", "line"]
for i in range(240):
    height, width = noise.randrange(1, 40), noise.randrange(1, 40)
    count = 1 if i % 3 else noise.randrange(1, 4)
    case(height, width, [polygon(height, width, KINDS[i % len(KINDS)]) for _ in range(count)])
for i in range(60):
    height, width = noise.randrange(1, 50), noise.randrange(1, 50)
    share = noise.choice([0, 0.02, 0.5, 0.98, 1])
    pixels = np.array(
        [[noise.random() < share for _ in range(width)] for _ in range(height)], dtype=np.uint8
    )
    if i % 2 and height > 4:
        pixels[1:-1] = pixels[1]
    coded = masks.encode(np.asfortranarray(pixels))
    assert (masks.decode(coded) == pixels).all()
    text = {"size": [height, width], "counts": coded["counts"].decode()}
    outlines.append(
        {"size": [height, width], "segmentation": text, "area": int(pixels.sum()), "crc": crc(pixels)}
    )
    runs, last = [0], 0
    for pixel in pixels.T.reshape(-1):
        if pixel != last:
            runs.append(0)
            last = pixel
        runs[-1] += 1
    case(height, width, {"size": [height, width], "counts": runs})
(HERE / "outlines.json").write_text(json.dumps({"outlines": outlines}) + "\n")

(HERE / "images").mkdir(exist_ok=True)
sizes = {397: (32, 24), 9: (20, 30), 42: (25, 25), 12: (16, 16)}
images = []
for number, (width, height) in sizes.items():
    pixels = bytes(noise.randrange(256) for _ in range(3 * 4 * 4))
    name = "%012d.jpg" % number
    Image.frombytes("RGB", (4, 4), pixels).resize((width, height)).save(HERE / "images" / name)
    images.append({"id": number, "file_name": name, "width": width, "height": height, "license": 1})

categories = [
    {"id": 90, "name": "toothbrush", "supercategory": "indoor"},
    {"id": 1, "name": "person", "supercategory": "person"},
    {"id": 18, "name": "dog", "supercategory": "animal"},
]
instances = []
for number in (397, 42, 397, 9, 42, 397):
    width, height = sizes[number]
    crowd = len(instances) == 2
    if crowd:
        pixels = np.zeros((height, width), dtype=np.uint8)
        pixels[3:9, 2:20] = 1
        pixels[5, 7] = 0
        runs, last = [0], 0
        for pixel in pixels.T.reshape(-1):
            if pixel != last:
                runs.append(0)
                last = pixel
            runs[-1] += 1
        segmentation = {"counts": runs, "size": [height, width]}
    else:
        segmentation = [polygon(height, width, "inside") for _ in range(1 + len(instances) % 2)]
    coded = masks.frPyObjects(segmentation, height, width)
    coded = masks.merge(coded) if isinstance(coded, list) else coded
    instances.append(
        {
            "id": 1000 + len(instances),
            "image_id": number,
            "category_id": noise.choice([1, 18, 90]),
            "bbox": [float(side) for side in masks.toBbox(coded)],
            "area": float(masks.area(coded)),
            "iscrowd": int(crowd),
            "segmentation": segmentation,
        }
    )


def save(name, annotations, groups):
    made = {"info": {"year": 2017}, "licenses": [], "annotations": annotations, "images": images}
    made["categories"] = groups
    (HERE / name).write_text(json.dumps(made) + "\n")


save("instances.json", instances, categories)

people = []
for number in (9, 397, 9):
    width, height = sizes[number]
    points = []
    for _ in range(3):
        seen = noise.randrange(3)
        points += [noise.randrange(width), noise.randrange(height), seen] if seen else [0, 0, 0]
    people.append(
        {
            "id": 2000 + len(people),
            "image_id": number,
            "category_id": 1,
            "bbox": [1.5, 2.0, 10.25, 8.0],
            "area": 40.0,
            "iscrowd": 0,
            "num_keypoints": sum(seen > 0 for seen in points[2::3]),
            "keypoints": points,
            "segmentation": [polygon(height, width, "inside")],
        }
    )
person = {"id": 1, "name": "person", "keypoints": ["nose", "left_eye", "right_eye"], "skeleton": [[1, 2]]}
save("keypoints.json", people, [person])

captions = [
    {"id": 1, "image_id": 42, "caption": "A dog on a \"mat\"."},
    {"id": 2, "image_id": 9, "caption": "Zwei Hunde \u2013 nichts weiter."},
    {"id": 3, "image_id": 42, "caption": "A mat."},
]
made = {"info": {}, "images": images, "annotations": captions}
(HERE / "captions.json").write_text(json.dumps(made) + "\n")

expected = []
for kind in ("instances", "keypoints"):
    coco = COCO(str(HERE / (kind + ".json")))
    for number in sorted(coco.imgs):
        for annotation in coco.loadAnns(coco.getAnnIds(imgIds=number)):
            expected.append(
                "%s,%d,%d,%d,%d,%s,%s,%s"
                % (
                    kind,
                    number,
                    annotation["id"],
                    annotation["category_id"],
                    annotation["iscrowd"],
                    ":".join(repr(float(side)) for side in annotation["bbox"]),
                    ":".join(map(str, annotation.get("keypoints", []))),
                    crc(coco.annToMask(annotation)),
                )
            )
(HERE / "expected.txt").write_text("\n".join(expected) + "\n")

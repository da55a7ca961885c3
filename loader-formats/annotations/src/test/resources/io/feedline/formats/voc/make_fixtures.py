"""Makes a data set of three images laid out as PASCAL VOC, and what torchvision finds in it.

    pip install numpy torch pillow, and torchvision 0.28 on the path, then: python make_fixtures.py

expected.txt has the boxes that torchvision's VOCDetection gives and the checksums of the masks that
its VOCSegmentation gives.
"""

import pathlib
import random
import zlib

import numpy as np
from PIL import Image
from torchvision.datasets import VOCDetection, VOCSegmentation

HERE = pathlib.Path(__file__).parent
YEAR = HERE / "VOCdevkit" / "VOC2012"
noise = random.Random(3)
CLASSES = ["aeroplane", "dog", "person", "tvmonitor"]

for name in ("ImageSets/Main", "ImageSets/Segmentation", "JPEGImages", "Annotations"):
    (YEAR / name).mkdir(parents=True, exist_ok=True)
for name in ("SegmentationClass", "SegmentationObject"):
    (YEAR / name).mkdir(exist_ok=True)

PALETTE = []
for i in range(256):
    red = green = blue = 0
    for bit in range(8):
        red |= (i >> (3 * bit) & 1) << 7 - bit
        green |= (i >> (3 * bit + 1) & 1) << 7 - bit
        blue |= (i >> (3 * bit + 2) & 1) << 7 - bit
    PALETTE += [red, green, blue]

names = ["2007_000032", "2007_000033", "2008_000008"]
for number, name in enumerate(names):
    width, height = 20 + number, 16 + 3 * number
    pixels = bytes(noise.randrange(256) for _ in range(48))
    Image.frombytes("RGB", (4, 4), pixels).resize((width, height)).save(
        YEAR / "JPEGImages" / (name + ".jpg")
    )
    objects = ""
    for i in range(number * 2):
        left, top = noise.randrange(1, 8), noise.randrange(1, 8)
        objects += (
            "<object><name>%s</name><pose>Left</pose><truncated>%d</truncated><difficult>%d</difficult>"
            "<bndbox><xmin>%d</xmin><ymin>%d</ymin><xmax>%d</xmax><ymax>%s</ymax></bndbox>"
            % (CLASSES[i % 4], i % 2, i == 2, left, top, left + 7, "%d.5" % (top + 5) if i == 1 else top + 6)
        )
        if i == 0:
            objects += (
                "<part><name>head</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax>"
                "<ymax>2</ymax></bndbox></part>"
            )
        objects += "</object>\n"
    (YEAR / "Annotations" / (name + ".xml")).write_text(
        "<annotation>\n<folder>VOC2012</folder><filename>%s.jpg</filename>\n"
        "<source><database>The VOC2007 Database</database></source>\n"
        "<size><width>%d</width><height>%d</height><depth>3</depth></size>\n"
        "<segmented>1</segmented>\n%s</annotation>\n" % (name, width, height, objects)
    )
    for directory, most in (("SegmentationClass", 21), ("SegmentationObject", 5)):
        ids = np.zeros((height, width), dtype=np.uint8)
        for _ in range(3):
            top, left = noise.randrange(height), noise.randrange(width)
            ids[top : top + 6, left : left + 6] = noise.randrange(most)
        ids[0, :] = 255
        mask = Image.fromarray(ids, "P")
        mask.putpalette(PALETTE)
        mask.save(YEAR / directory / (name + ".png"))

for kind in ("Main", "Segmentation"):
    (YEAR / "ImageSets" / kind / "train.txt").write_text("\n".join(names[1:]) + "\n")
    (YEAR / "ImageSets" / kind / "trainval.txt").write_text("\n".join(names) + "\n")
    (YEAR / "ImageSets" / kind / "val.txt").write_text(names[0] + "\n")
(YEAR / "ImageSets" / "Main" / "dog_train.txt").write_text("2007_000033  1\n2008_000008 -1\n")

expected = []
for _, target in VOCDetection(str(HERE), year="2012", image_set="trainval"):
    annotation = target["annotation"]
    found = [
        "%s %s %s %s"
        % (
            each["name"],
            each["difficult"],
            each["truncated"],
            " ".join(each["bndbox"][side] for side in ("xmin", "ymin", "xmax", "ymax")),
        )
        for each in annotation.get("object", [])
    ]
    expected.append("%s,%s" % (annotation["filename"], ";".join(found)))
for name, (_, mask) in zip(names, VOCSegmentation(str(HERE), year="2012", image_set="trainval")):
    expected.append("%s.png,%08x" % (name, zlib.crc32(np.array(mask).tobytes())))
(HERE / "expected.txt").write_text("\n".join(expected) + "\n")

"""Writes torchvision_serving.txt: what a model is given for each image of golden.csv.

Made with torch 2.13.0, torchvision 0.28.0 and Pillow 12.3.0. Run: python3 torchvision_serving.py. A line is

    file  float32-CHW float32-HWC  float16-CHW float16-HWC  uint8-CHW uint8-HWC

with the CRC-32 of the tensor's bytes after Resize(20), CenterCrop(16), and for floats ToTensor and
Normalize. An image that Pillow cannot open has the one word "refused".
"""

import pathlib
import warnings
import zlib

import numpy
import torch
from PIL import Image
from torchvision import transforms

HERE = pathlib.Path(__file__).parent
GEOMETRY = [transforms.Resize(20), transforms.CenterCrop(16)]
FLOATS = transforms.Compose(
    GEOMETRY
    + [
        transforms.ToTensor(),
        transforms.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
    ]
)
BYTES = transforms.Compose(GEOMETRY + [transforms.PILToTensor()])


def crc(tensor):
    return "%08x" % zlib.crc32(tensor.contiguous().numpy().tobytes())


def words(file):
    try:
        image = Image.open(file)
        if image.mode.startswith("I"):
            # Pillow clips these at 255; the upper bits are what make_fixtures.py expects.
            image = Image.fromarray((numpy.asarray(image) >> 8).astype(numpy.uint8))
        image = image.convert("RGB")
    except OSError:
        return ["refused"]
    floats = FLOATS(image)
    return [
        crc(each)
        for tensor in (floats, floats.half(), BYTES(image))
        for each in (tensor, tensor.permute(1, 2, 0))
    ]


if __name__ == "__main__":
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    names = [line.split(",")[0] for line in (HERE / "golden.csv").read_text().splitlines()]
    lines = [" ".join([name] + words(HERE / name)) for name in names]
    (HERE / "torchvision_serving.txt").write_text("\n".join(lines) + "\n")

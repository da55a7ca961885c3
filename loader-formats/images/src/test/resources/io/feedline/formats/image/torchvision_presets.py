"""Writes torchvision_presets.txt: pipeline.json of torchvision's presets, and what they give.

Made with torch 2.13.0, torchvision 0.28.0 and Pillow 12.3.0. Run: python3 torchvision_presets.py. A
line is

    NAME  JSON  CRC...

with the CRC-32 of the tensor of each of IMAGES. NAME is that of the first weights of a model that
have the preset, or of a composition below. The JSON is what examples/pipeline_json.py writes.
"""

import pathlib
import sys
import zlib

import torch
from PIL import Image
from torchvision import models, transforms
from torchvision.transforms import v2

HERE = pathlib.Path(__file__).resolve().parent
ROOT = next(each for each in HERE.parents if (each / "examples").is_dir())
sys.path.append(str(ROOT / "examples"))

import pipeline_json

IMAGES = ["draft_420.jpg", "jpeg_progressive.jpg", "png_rgba.png"]

COMPOSITIONS = {
    "bytes": transforms.Compose([transforms.Resize((40, 30)), transforms.PILToTensor()]),
    "converted": transforms.Compose(
        [
            transforms.Resize(40, max_size=50),
            transforms.PILToTensor(),
            transforms.CenterCrop((20, 30)),
            transforms.ConvertImageDtype(torch.float32),
            transforms.Normalize((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)),
        ]
    ),
    "gray": transforms.Compose(
        [transforms.Grayscale(), transforms.ToTensor(), transforms.Normalize([0.5], [0.25])]
    ),
    "v2": v2.Compose(
        [
            v2.Pad((3, 1), fill=(255, 128, 0)),
            v2.Resize(64, v2.InterpolationMode.BICUBIC),
            v2.CenterCrop(48),
            v2.ToImage(),
            v2.ToDtype(torch.float32, scale=True),
            v2.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    ),
    "v2 bytes": v2.Compose([v2.Pad(2, padding_mode="reflect"), v2.Grayscale(3), v2.PILToTensor()]),
}


def presets():
    seen = set()
    for name in models.list_models(module=models):
        for weights in models.get_model_weights(name):
            transform = weights.transforms()
            text = pipeline_json.pipeline(transform)
            if text not in seen:
                seen.add(text)
                yield str(weights), transform, text


def crc(tensor):
    return "%08x" % zlib.crc32(tensor.contiguous().numpy().tobytes())


if __name__ == "__main__":
    torch.set_num_threads(1)
    images = [Image.open(HERE / name).convert("RGB") for name in IMAGES]
    named = list(presets())
    for name, transform in COMPOSITIONS.items():
        named.append((name.replace(" ", "_"), transform, pipeline_json.pipeline(transform)))
    lines = [
        " ".join([name, text] + [crc(transform(image)) for image in images])
        for name, transform, text in named
    ]
    (HERE / "torchvision_presets.txt").write_text("\n".join(lines) + "\n")

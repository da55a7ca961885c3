#!/usr/bin/env python3
"""Writes torchvision's transforms as the pipeline.json that Preprocessor.load of Feedline reads.

    python3 pipeline_json.py ResNet50_Weights.IMAGENET1K_V2 > model/pipeline.json

takes the transforms and the classes of pretrained weights. For transforms of your own:

    import pipeline_json
    pipeline_json.save("model/pipeline.json", compose, dataset.classes)

Takes the presets ImageClassification, and Compose of Resize, CenterCrop, Pad, Grayscale, RGB,
ToTensor, PILToTensor, ToImage, ConvertImageDtype, ToDtype and Normalize, of torchvision.transforms
or its v2, in the order in which they are applied to a PIL image. Anything else is refused by name:
what draws random numbers, a Lambda, and what would give other pixels than PIL does. Made for
torchvision 0.28.
"""

import json
import pathlib
import sys

import torch
from torchvision import models, transforms
from torchvision.transforms import v2
from torchvision.transforms import InterpolationMode as Mode
from torchvision.transforms._presets import ImageClassification

FILTERS = {
    Mode.NEAREST: "nearest",
    Mode.NEAREST_EXACT: "nearest",
    Mode.BOX: "box",
    Mode.BILINEAR: "bilinear",
    Mode.BICUBIC: "bicubic",
    Mode.HAMMING: "hamming",
    Mode.LANCZOS: "lanczos",
}

DECODE = {
    "mode": "rgb",
    "exifRotation": False,
    "backend": "AUTO",
    "maxPixels": 178956970,
    "fast": False,
}

PIL, BYTES, FLOATS = "a PIL image", "a tensor of bytes", "a tensor of floats"


class Pipeline:
    """The steps so far, and what an image is after them."""

    def __init__(self):
        self.steps = [{"DecodeImage": DECODE}]
        self.kind = PIL

    def add(self, name, **options):
        self.steps.append({name: options})

    def refuse(self, transform, why):
        raise ValueError(f"{transform} cannot be written: {why}")

    def require(self, kinds, transform):
        if self.kind not in kinds:
            self.refuse(transform, f"it is applied to {self.kind}, not to {' or '.join(kinds)}")

    def resize(self, transform, size, interpolation, max_size=None):
        # Tensors are resized with other rounding than PIL images.
        self.require([PIL], transform)
        sides = [size] if isinstance(size, int) else list(size or [])
        options = {}
        if len(sides) == 2:
            options["size"] = sides
        elif len(sides) == 1:
            options["shorterEdge"] = sides[0]
        if max_size is not None:
            options["maxSize"] = max_size
        self.add("Resize", **options, interpolation=FILTERS[interpolation], antialias=True)

    def center_crop(self, size):
        sides = [size] if isinstance(size, int) else list(size)
        self.add("CenterCrop", size=sides if len(sides) == 2 else 2 * sides)

    def pad(self, transform):
        padding = transform.padding
        sides = [padding] if isinstance(padding, int) else list(padding)
        left, top, right, bottom = {1: 4 * sides, 2: 2 * sides}.get(len(sides), sides)
        fill = transform.fill
        fill = [fill] if isinstance(fill, (int, float)) else list(fill or [0])
        if any(value != int(value) for value in fill):
            self.refuse(transform, "the fill must be whole numbers")
        self.add(
            "Pad",
            padding=[left, top, right, bottom],
            mode=transform.padding_mode,
            fill=[int(value) for value in (fill if len(fill) == 3 else 3 * fill)],
        )

    def preset(self, preset):
        self.resize(preset, preset.resize_size, preset.interpolation)
        self.center_crop(preset.crop_size)
        self.kind = FLOATS
        self.add("Normalize", mean=list(preset.mean), std=list(preset.std))

    def dtype(self, transform, dtype, scale, v2_arithmetic):
        self.require([BYTES, FLOATS], transform)
        if isinstance(dtype, dict) or not scale and dtype != torch.uint8:
            self.refuse(transform, "only one dtype, with scale=True")
        if dtype == torch.float32 and self.kind == BYTES:
            self.kind = FLOATS
            if v2_arithmetic:
                self.add("ConvertDtype", dtype="FLOAT32")
        elif dtype != {BYTES: torch.uint8, FLOATS: torch.float32}[self.kind]:
            self.refuse(transform, "only float32 and uint8; a model in half precision converts its input")

    def apply(self, transform):
        if isinstance(transform, (transforms.Compose, v2.Compose)):
            for each in transform.transforms:
                self.apply(each)
        elif isinstance(transform, torch.nn.Sequential):
            for each in transform:
                self.apply(each)
        elif isinstance(transform, ImageClassification):
            self.preset(transform)
        elif isinstance(transform, (transforms.Resize, v2.Resize)):
            self.resize(transform, transform.size, transform.interpolation, transform.max_size)
        elif isinstance(transform, (transforms.CenterCrop, v2.CenterCrop)):
            self.require([PIL, BYTES], transform)
            self.center_crop(transform.size)
        elif isinstance(transform, (transforms.Pad, v2.Pad)):
            self.require([PIL, BYTES], transform)
            self.pad(transform)
        elif isinstance(transform, (transforms.Grayscale, v2.Grayscale)):
            self.require([PIL], transform)
            self.add("Grayscale", channels=transform.num_output_channels)
        elif isinstance(transform, v2.RGB):
            self.require([PIL, BYTES], transform)
        elif isinstance(transform, (transforms.ToTensor, v2.ToTensor)):
            self.require([PIL], transform)
            self.kind = FLOATS
        elif isinstance(transform, (transforms.PILToTensor, v2.PILToTensor, v2.ToImage)):
            self.require([PIL, BYTES] if isinstance(transform, v2.ToImage) else [PIL], transform)
            self.kind = BYTES
        elif isinstance(transform, v2.ToDtype):
            self.dtype(transform, transform.dtype, transform.scale, True)
        elif isinstance(transform, v2.ConvertImageDtype):
            self.dtype(transform, transform.dtype, True, True)
        elif isinstance(transform, transforms.ConvertImageDtype):
            self.dtype(transform, transform.dtype, True, False)
        elif isinstance(transform, (transforms.Normalize, v2.Normalize)):
            self.require([FLOATS], transform)
            self.add("Normalize", mean=list(transform.mean), std=list(transform.std))
        else:
            self.refuse(transform, "it is none of the transforms that validate the same each time")


def pipeline(transform, classes=()):
    """Returns the text of pipeline.json.

    Raises ValueError, which names the transform, for what cannot be written.
    """
    made = Pipeline()
    made.apply(transform)
    if made.kind == PIL:
        made.refuse(transform, "it ends with a PIL image; add ToTensor, or ToImage and ToDtype")
    if made.kind == BYTES:
        made.add("ToTensor", dtype="UINT8", layout="CHW")
    return json.dumps(
        {
            "feedline": "torchvision",
            "classes": list(classes),
            "pipeline": {"version": 1, "transform": made.steps},
        },
        separators=(",", ":"),
    )


def save(path, transform, classes=()):
    """Writes pipeline.json."""
    pathlib.Path(path).write_text(pipeline(transform, classes) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    weights = models.get_weight(sys.argv[1])
    print(pipeline(weights.transforms(), weights.meta["categories"]))

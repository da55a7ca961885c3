#!/usr/bin/env python3
"""torchvision's half of io.feedline.bench.Transforms, which starts it and tells how to run both.

Waits for lines on standard input and answers each with a line on standard output:

    run NAME SECONDS    applies the transform to all images, again and again, until the thread has
                        used that much CPU time; answers with images and seconds

Images are decoded PIL images; what a transform makes of one is copied into a row of a batch, as a
collation does. Transforms are those of torchvision.transforms.v2. NAME is one of TRANSFORMS.
"""

import pathlib
import sys
import time

import torch

try:
    import torchvision
except RuntimeError:
    # Its C++ operators do not load with this torch; transforms do not need them.
    golden = "loader-formats/images/src/test/resources/io/feedline/formats/image"
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / golden))
    import load_torchvision_v2

    torchvision = load_torchvision_v2.load()

import PIL
from PIL import Image
from torchvision.transforms import v2
from torchvision.transforms.v2 import InterpolationMode as Mode
from torchvision.transforms.v2.functional import pil_to_tensor

MEAN, STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]

TRANSFORMS = {
    "Resize": v2.Resize(224),
    "CenterCrop": v2.CenterCrop(224),
    "RandomCrop": v2.RandomCrop(224, 4),
    "RandomResizedCrop": v2.RandomResizedCrop(224),
    "ScaleJitter": v2.ScaleJitter((224, 224)),
    "ScaleJitter, RandomCrop": v2.Compose(
        [v2.ScaleJitter((224, 224)), v2.RandomCrop(224, pad_if_needed=True)]
    ),
    "RandomShortestSize": v2.RandomShortestSize([192, 224, 256], 320),
    "RandomZoomOut": v2.RandomZoomOut(side_range=(1.0, 2.0), p=1.0),
    "Pad, reflected": v2.Pad(16, padding_mode="reflect"),
    "FiveCrop": v2.FiveCrop(112),
    "TenCrop": v2.TenCrop(112),
    "RandomHorizontalFlip": v2.RandomHorizontalFlip(1.0),
    "RandomVerticalFlip": v2.RandomVerticalFlip(1.0),
    "RandomRotation": v2.RandomRotation(30),
    "RandomRotation, bilinear": v2.RandomRotation(30, Mode.BILINEAR),
    "RandomRotation, bicubic": v2.RandomRotation(30, Mode.BICUBIC),
    "RandomAffine": v2.RandomAffine(15, (0.1, 0.1), (0.8, 1.2), 10),
    "RandomAffine, bilinear": v2.RandomAffine(15, (0.1, 0.1), (0.8, 1.2), 10, Mode.BILINEAR),
    "RandomPerspective": v2.RandomPerspective(p=1.0),
    "RandomPerspective, nearest": v2.RandomPerspective(p=1.0, interpolation=Mode.NEAREST),
    "ElasticTransform": v2.ElasticTransform(),
    "ColorJitter": v2.ColorJitter(0.4, 0.4, 0.4, 0.1),
    "RandomPhotometricDistort": v2.RandomPhotometricDistort(p=1.0),
    "RandomChannelPermutation": v2.RandomChannelPermutation(),
    "RandomGrayscale": v2.RandomGrayscale(1.0),
    "RandomEqualize": v2.RandomEqualize(1.0),
    "RandomPosterize": v2.RandomPosterize(4, 1.0),
    "RandomSolarize": v2.RandomSolarize(128, 1.0),
    "RandomInvert": v2.RandomInvert(1.0),
    "RandomAutocontrast": v2.RandomAutocontrast(1.0),
    "RandomAdjustSharpness": v2.RandomAdjustSharpness(2.0, 1.0),
    "GaussianBlur": v2.GaussianBlur(5),
    "GaussianBlur, 23": v2.GaussianBlur(23),
    "AutoAugment": v2.AutoAugment(),
    "RandAugment": v2.RandAugment(),
    "TrivialAugmentWide": v2.TrivialAugmentWide(),
    "AugMix": v2.AugMix(),
    "Normalize": v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize(MEAN, STD)]),
    "RandomErasing": v2.Compose([v2.PILToTensor(), v2.RandomErasing(1.0)]),
}


def tensors(result):
    for each in result if isinstance(result, (tuple, list)) else [result]:
        yield each if isinstance(each, torch.Tensor) else pil_to_tensor(each)


def run(transform, images, rows, seconds):
    count = 0
    start = time.thread_time()
    while True:
        for image in images:
            for tensor in tensors(transform(image)):
                row = rows[tensor.dtype]
                row[: tensor.numel()].view(tensor.shape).copy_(tensor)
        count += len(images)
        used = time.thread_time() - start
        if used >= seconds:
            return count, used


def main():
    torch.set_num_threads(1)
    torch.manual_seed(0)
    paths = pathlib.Path(sys.argv[1]).read_text().splitlines()
    images = [Image.open(path).convert("RGB") for path in paths]
    largest = max(3 * image.width * image.height for image in images)
    # A zoomed out image has up to four times as many pixels.
    rows = {dtype: torch.empty(5 * largest, dtype=dtype) for dtype in (torch.uint8, torch.float32)}
    print(
        f"ready torchvision {torchvision.__version__}, torch {torch.__version__},"
        f" Pillow {PIL.__version__}",
        flush=True,
    )
    for line in sys.stdin:
        command, rest = line.strip().split(" ", 1)
        name, seconds = rest.rsplit(" ", 1)
        if command != "run" or name not in TRANSFORMS:
            print(f"not understood: {line.strip()}", flush=True)
            continue
        count, used = run(TRANSFORMS[name], images, rows, float(seconds))
        print(f"{count} {used:.6f}", flush=True)


main()

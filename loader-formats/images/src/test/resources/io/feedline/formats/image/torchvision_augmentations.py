"""Writes torchvision_augmentations.txt: what torchvision's random transforms make of a picture with
PyTorch's generator. load_torchvision_v2.py says how to run it.

Made with torch 2.13.0, torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6, on a processor with AVX2.
The transforms are those of v1, which v2 draws in another order, with the affine matrices of v2,
which v1 adds up in another order. A line is

    transform seed width height crc32

the picture being noise(width, height) of picture.py, and the CRC-32 that of the tensor's bytes,
floats in little-endian order, after ToTensor. The transforms are those of
TorchvisionAugmentationsTest.java, by name. The lines of "rand" and "trivial" with five words more

    magnitudes transform bins operation index magnitude

say how strong an operation is. AugMix carries out its operations on PIL images here, as the other
transforms do, and not on the tensor that it makes of one.
"""

import pathlib
import zlib

import torch

import load_torchvision_v2

load_torchvision_v2.load()

from torchvision import transforms as T
from torchvision.transforms import autoaugment
from torchvision.transforms import functional as F
from torchvision.transforms import InterpolationMode as Mode
from torchvision.transforms.v2.functional import _geometry

from picture import noise

F._get_inverse_affine_matrix = _geometry._get_inverse_affine_matrix
apply_op = autoaugment._apply_op


def apply_op_of_images(image, *arguments, **options):
    if not isinstance(image, torch.Tensor):
        return apply_op(image, *arguments, **options)
    return F.pil_to_tensor(apply_op(F.to_pil_image(image[0]), *arguments, **options))[None]


autoaugment._apply_op = apply_op_of_images

TRANSFORMS = {
    "jitter": T.ColorJitter(0.4, 0.4, 0.4, 0.1),
    "jitterRanges": T.ColorJitter((0.2, 3.0), 0, (0.0, 5.0), (-0.5, 0.25)),
    "grayscale": T.RandomGrayscale(0.5),
    "verticalFlip": T.RandomVerticalFlip(),
    "apply": T.RandomApply([T.ColorJitter(0.8, 0.8, 0.8, 0.2)], 0.6),
    "rotation": T.RandomRotation(30),
    "rotationExpand": T.RandomRotation((-180, 20), Mode.BILINEAR, True, fill=(1, 2, 250)),
    "rotationCenter": T.RandomRotation(90, Mode.BICUBIC, center=(3, 11)),
    "affine": T.RandomAffine(25, (0.1, 0.3), (0.5, 1.5), 20),
    "affineShears": T.RandomAffine(0, None, None, (-10, 30, 5, 15), Mode.BILINEAR, fill=(7, 8, 9)),
    "affineCenter": T.RandomAffine((5, 90), None, (1.1, 2.0), center=(2, 30)),
    "crop": T.RandomCrop((20, 24)),
    "cropPadded": T.RandomCrop(32, 4, fill=0),
    "cropReflected": T.RandomCrop((33, 40), (3, 5, 7, 1), padding_mode="reflect"),
    "cropIfNeeded": T.RandomCrop((60, 70), pad_if_needed=True, fill=(200, 100, 50)),
    "rand": T.RandAugment(),
    "randStrong": T.RandAugment(4, 20, 24, Mode.BILINEAR, [255, 128, 0]),
    "trivial": T.TrivialAugmentWide(),
    "trivialBilinear": T.TrivialAugmentWide(17, Mode.BILINEAR),
    "auto": T.AutoAugment(),
    "autoCifar": T.AutoAugment(T.AutoAugmentPolicy.CIFAR10, Mode.BILINEAR, [3, 2, 255]),
    "autoSvhn": T.AutoAugment(T.AutoAugmentPolicy.SVHN),
    "mix": T.AugMix(),
    "mixStrong": T.AugMix(10, 2, 4, 0.4, False, Mode.NEAREST, [7, 8, 9]),
    "equalize": T.RandomEqualize(),
    "invert": T.RandomInvert(0.3),
    "autocontrast": T.RandomAutocontrast(),
    "posterize": T.RandomPosterize(3),
    "solarize": T.RandomSolarize(130.5, 0.7),
    "sharpness": T.RandomAdjustSharpness(2.5),
    "erasing": T.Compose([T.ToTensor(), T.RandomErasing(0.7)]),
    "erasingValues": T.Compose(
        [T.ToTensor(), T.RandomErasing(1.0, (0.2, 0.9), (0.1, 4.0), (0.25, -3.5, 1e20))]
    ),
    "recipe": T.Compose(
        [
            T.RandomResizedCrop(32),
            T.RandomHorizontalFlip(),
            T.TrivialAugmentWide(interpolation=Mode.BILINEAR),
            T.ToTensor(),
            T.Normalize(mean=[0.485, 0.456, 0.406], std=[0.229, 0.224, 0.225]),
            T.RandomErasing(0.5),
        ]
    ),
}
SIZES = [(41, 29), (30, 52)]
SEEDS = {"rand": 120, "randStrong": 60, "trivial": 200, "trivialBilinear": 60}
SEEDS |= {"auto": 200, "autoCifar": 200, "autoSvhn": 200, "mix": 60, "mixStrong": 30}

lines = []
for name, transform in TRANSFORMS.items():
    for seed in range(SEEDS.get(name, 12)):
        width, height = SIZES[seed % 2]
        torch.manual_seed(seed)
        result = transform(noise(width, height))
        tensor = result if isinstance(result, torch.Tensor) else T.ToTensor()(result)
        crc = zlib.crc32(tensor.contiguous().numpy().tobytes())
        lines.append(f"{name} {seed} {width} {height} {crc:08x}\n")


def magnitudes(name, bins, space):
    for operation, (values, _) in space.items():
        for index in range(bins if values.ndim else 0):
            yield f"magnitudes {name} {bins} {operation} {index} {float(values[index].item())!r}\n"


for bins in (10, 31):
    lines += magnitudes("rand", bins, T.RandAugment()._augmentation_space(bins, (29, 41)))
    lines += magnitudes("trivial", bins, T.TrivialAugmentWide()._augmentation_space(bins))
lines += magnitudes("mix", 10, T.AugMix()._augmentation_space(10, (29, 41)))
lines += magnitudes("auto", 10, T.AutoAugment()._augmentation_space(10, (29, 41)))
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

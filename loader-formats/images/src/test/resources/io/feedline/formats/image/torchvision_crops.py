"""Writes torchvision_crops.txt: the parts that RandomResizedCrop takes. Run: python3 torchvision_crops.py

Made with torch 1.13.0 and torchvision 0.14.1. A line is

    seed width height  minScale maxScale minRatio maxRatio  x y cropWidth cropHeight  next

Each line seeds the generator anew; next is the generator's next word, so that the number of draws
is known to be equal as well.
"""

import pathlib
import random

import torch
from PIL import Image
from torchvision.transforms import RandomResizedCrop

DEFAULTS = (0.08, 1.0), (3 / 4, 4 / 3)
OTHERS = [
    ((0.5, 1.0), (1.0, 1.0)),
    ((0.9, 1.0), (1.9, 2.1)),
    ((0.01, 0.2), (0.3, 0.7)),
    ((0.35, 0.35), (0.1, 10.0)),
    ((1.0, 1.0), (0.75, 1.33)),
]


def cases():
    rng = random.Random(7)
    for i in range(300):
        yield i - 5, (rng.randint(1, 900), rng.randint(1, 900)), DEFAULTS
    for i in range(60):  # thin pictures, where the tries fail and the middle is taken
        thin = rng.randint(1, 40), rng.randint(200, 4000)
        yield i + 2**33, thin if i % 2 else thin[::-1], DEFAULTS
    for i in range(150):
        size = rng.randint(1, 2000), rng.randint(1, 2000)
        yield rng.getrandbits(32), size, OTHERS[i % len(OTHERS)]


lines = []
for seed, (width, height), (scale, ratio) in cases():
    torch.manual_seed(seed)
    y, x, h, w = RandomResizedCrop.get_params(Image.new("L", (width, height)), scale, ratio)
    word = torch.randint(0, 2**31, (1,)).item()
    lines.append(
        f"{seed} {width} {height} {scale[0]} {scale[1]} {ratio[0]} {ratio[1]} {x} {y} {w} {h} {word}\n"
    )
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

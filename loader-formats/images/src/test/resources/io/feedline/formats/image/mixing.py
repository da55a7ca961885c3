"""Writes mixing.txt: what torchvision's RandomMixup and RandomCutmix make of a batch, given what they
draw. Run: python3 mixing.py

Made with torch 1.13.0, by the arithmetic of references/classification/transforms.py of torchvision
0.14.1, repeated here. A line is one of

    mixup rows height width classes lambda  images_crc32 labels_crc32
    cutmix rows height width classes lambda x y  x1 y1 x2 y2 images_crc32 labels_crc32

the batch being images(rows, 3, height, width) and labels(rows, classes) below, and the CRC-32 that of
the floats in little-endian order.
"""

import math
import pathlib
import zlib

import torch


def images(rows, height, width):
    count = rows * 3 * height * width
    index = torch.arange(count, dtype=torch.int64)
    return (((index * 40503) & 65535).float() / 16384 - 2).reshape(rows, 3, height, width)


def labels(rows, classes):
    index = (torch.arange(rows) * 7 + 3) % classes
    return torch.nn.functional.one_hot(index, classes).float()


def mixup(batch, target, lambda_param):
    batch_rolled = batch.roll(1, 0)
    target_rolled = target.roll(1, 0)
    batch_rolled.mul_(1.0 - lambda_param)
    batch.mul_(lambda_param).add_(batch_rolled)
    target_rolled.mul_(1.0 - lambda_param)
    target.mul_(lambda_param).add_(target_rolled)


def cutmix(batch, target, lambda_param, r_x, r_y):
    batch_rolled = batch.roll(1, 0)
    target_rolled = target.roll(1, 0)
    H, W = batch.shape[-2:]
    r_x, r_y = torch.tensor([r_x]), torch.tensor([r_y])
    r = 0.5 * math.sqrt(1.0 - lambda_param)
    r_w_half = int(r * W)
    r_h_half = int(r * H)
    x1 = int(torch.clamp(r_x - r_w_half, min=0))
    y1 = int(torch.clamp(r_y - r_h_half, min=0))
    x2 = int(torch.clamp(r_x + r_w_half, max=W))
    y2 = int(torch.clamp(r_y + r_h_half, max=H))
    batch[:, :, y1:y2, x1:x2] = batch_rolled[:, :, y1:y2, x1:x2]
    lambda_param = float(1.0 - (x2 - x1) * (y2 - y1) / (W * H))
    target_rolled.mul_(1.0 - lambda_param)
    target.mul_(lambda_param).add_(target_rolled)
    return x1, y1, x2, y2


def crc(tensor):
    return f"{zlib.crc32(tensor.contiguous().numpy().tobytes()):08x}"


lines = []
for rows, height, width, classes in ((5, 7, 9, 10), (1, 4, 3, 2), (2, 31, 40, 1000), (16, 8, 8, 3)):
    for lam in (0.0, 0.1, 1 / 3, 0.5, 0.7320508075688772, 0.999, 1.0):
        size = f"{rows} {height} {width} {classes} {lam!r}"
        batch, target = images(rows, height, width), labels(rows, classes)
        mixup(batch, target, lam)
        lines.append(f"mixup {size} {crc(batch)} {crc(target)}\n")
        for x, y in ((0, 0), (width // 2, height // 2), (width - 1, height // 3)):
            batch, target = images(rows, height, width), labels(rows, classes)
            box = cutmix(batch, target, lam, x, y)
            words = " ".join(str(side) for side in box)
            lines.append(f"cutmix {size} {x} {y} {words} {crc(batch)} {crc(target)}\n")
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))

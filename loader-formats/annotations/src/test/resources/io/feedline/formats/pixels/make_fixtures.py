"""Makes small IDX and CIFAR files, and what torchvision reads in them.

    pip install numpy torch pillow, and torchvision 0.28 on the path, then: python make_fixtures.py

The files are made by numpy, as the formats' authors describe them; values.txt has labels and
checksums of the pixels that torchvision's own readers give: read_image_file and read_label_file of
torchvision.datasets.mnist; of CIFAR's binary version, which torchvision does not read, the pixels
that were written.
"""

import gzip
import pathlib
import zlib

import numpy as np
import torch
from torchvision.datasets.mnist import read_image_file, read_label_file

HERE = pathlib.Path(__file__).parent
random = np.random.default_rng(7)
values = []


def idx(name, array):
    header = bytes([0, 0, 8, array.ndim]) + b"".join(
        int(length).to_bytes(4, "big") for length in array.shape
    )
    (HERE / name).write_bytes(header + array.tobytes())


def crc(pixels):
    return "%08x" % zlib.crc32(np.ascontiguousarray(pixels).tobytes())


for split, count in (("train", 7), ("t10k", 3)):
    images = random.integers(0, 256, (count, 5, 4), dtype=np.uint8)
    labels = random.integers(0, 10, count, dtype=np.uint8)
    idx(split + "-images-idx3-ubyte", images)
    idx(split + "-labels-idx1-ubyte", labels)
    read = read_image_file(str(HERE / (split + "-images-idx3-ubyte")))
    classes = read_label_file(str(HERE / (split + "-labels-idx1-ubyte")))
    for image, label in zip(read, classes):
        values.append("%s,%d,%s" % (split, label, crc(image.numpy())))

(HERE / "gz").mkdir(exist_ok=True)
for name in ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"):
    with gzip.GzipFile(HERE / "gz" / (name + ".gz"), "wb", mtime=0) as out:
        out.write((HERE / name).read_bytes())


def cifar(directory, name, count, labels):
    (HERE / directory).mkdir(exist_ok=True)
    out = b""
    for _ in range(count):
        # In few colors, so that the repository stays small.
        pixels = (random.integers(0, 2, (3, 32, 32), dtype=np.uint8) * 200).astype(np.uint8)
        numbers = [int(random.integers(0, most)) for most in labels]
        out += bytes(numbers) + pixels.tobytes()
        # As people look at them: rows of red, green, blue.
        shown = crc(pixels.transpose(1, 2, 0))
        values.append("%s/%s,%s,%s" % (directory, name, ":".join(map(str, numbers)), shown))
    (HERE / directory / name).write_bytes(out)


for batch in (1, 2):
    cifar("cifar10", "data_batch_%d.bin" % batch, 3, (10,))
cifar("cifar10", "test_batch.bin", 2, (10,))
names = "airplane automobile bird cat deer dog frog horse ship truck".split()
(HERE / "cifar10" / "batches.meta.txt").write_text("\n".join(names) + "\n\n")
cifar("cifar100", "train.bin", 6, (20, 100))
cifar("cifar100", "test.bin", 2, (20, 100))
(HERE / "cifar100" / "coarse_label_names.txt").write_text("".join("c%d\n" % i for i in range(20)))
(HERE / "cifar100" / "fine_label_names.txt").write_text("".join("f%d\n" % i for i in range(100)))
(HERE / "values.txt").write_text("\n".join(values) + "\n")

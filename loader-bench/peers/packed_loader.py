#!/usr/bin/env python3
"""Packed data behind PyTorch's DataLoader, measured as io.feedline.bench.Throughput is.

Reads the very files that Throughput reads, and does the same with them:

  --format lmdb          pictures: Pillow decodes them, torchvision's transforms do the rest
  --format lmdb-tensors  LZ4 frames of uint8 (224, 224, 3), as they are
  --format hdf5          uint8 (224, 224, 3) by h5py, contiguous or in compressed chunks, as they are

    python3 loader-bench/peers/packed_loader.py --format lmdb --data DATABASE --workers 2

Each process opens the file for itself when it first reads: neither LMDB nor HDF5 survives a fork.
Needs torch and torchvision (written against 1.13 and 0.14), and the format's lmdb, lz4, h5py.
"""

import io
import json
import struct
import sys

import epochs
from torchvision_loader import make_transform


class Opened:
    """A dataset that is opened by each process that reads it, and not by the one that forks."""

    def __init__(self, path):
        self.path = path
        self.file = None

    def opened(self):
        if self.file is None:
            self.file = self.open()
        return self.file

    def __getstate__(self):
        return {**self.__dict__, "file": None}


class Lmdb(Opened):
    """A database that Feedline wrote; the package io.feedline.formats.lmdb tells its layout."""

    def __init__(self, path):
        super().__init__(path)
        environment = self.open()
        with environment.begin() as transaction:
            self.count = json.loads(transaction.get(b"__feedline__"))["count"]
        environment.close()

    def open(self):
        import lmdb

        return lmdb.open(self.path, readonly=True, lock=False, readahead=False, meminit=False)

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        with self.opened().begin(buffers=True) as transaction:
            return self.parse(transaction.get(struct.pack(">Q", index)))


class LmdbPictures(Lmdb):
    def __init__(self, path, transform):
        super().__init__(path)
        self.transform = transform

    def parse(self, value):
        from PIL import Image

        label, key_bytes = struct.unpack_from("<iI", value)
        with Image.open(io.BytesIO(value[8 + key_bytes:])) as picture:
            return self.transform(picture.convert("RGB")), label


class LmdbTensors(Lmdb):
    def parse(self, value):
        import lz4.frame
        import numpy
        import torch

        content = lz4.frame.decompress(value, return_bytearray=True)
        magic, _, count, at = struct.unpack_from("<4sBBH", content)
        if magic != b"FLT1" or count != 2:
            raise ValueError(f"{self.path}: not the image and the label that PackTensors writes")
        shape = struct.unpack_from("<3q", content, 10)
        elements = shape[0] * shape[1] * shape[2]
        image = numpy.frombuffer(content, numpy.uint8, elements, at).reshape(shape)
        return torch.from_numpy(image), struct.unpack_from("<q", content, at + elements)[0]


class Hdf5(Opened):
    def __init__(self, path):
        super().__init__(path)
        import h5py

        with h5py.File(path, "r") as file:
            self.count = len(file["images"])

    def open(self):
        import h5py

        file = h5py.File(self.path, "r")
        return file["images"], file["labels"]

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        import torch

        images, labels = self.opened()
        return torch.from_numpy(images[index]), int(labels[index])


def parse_options():
    parser = epochs.parser(__doc__)
    parser.add_argument("--format", choices=["lmdb", "lmdb-tensors", "hdf5"], required=True)
    options = parser.parse_args()
    options.decoder = "pil"
    options.resize = "antialias"
    return options


def open_dataset(options):
    path = epochs.part(options)
    if options.format == "lmdb":
        return LmdbPictures(path, make_transform(options))
    return LmdbTensors(path) if options.format == "lmdb-tensors" else Hdf5(path)


def main():
    options = parse_options()
    loader = epochs.data_loader(open_dataset(options), options)
    import torch

    print(
        f"reading {len(loader.dataset)} samples of {options.data} with torch {torch.__version__}",
        file=sys.stderr,
    )
    epochs.run(loader, options)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Packs a folder of images in a few lines of Python, as results/measure-packing compares it with the command.

    python3 loader-bench/peers/packing.py KIND SRC DST

    webdataset, zip, recordio, tfrecord, lmdb, mds
              store the files of SRC/CLASS/PICTURE as they are, with their class, in the file or directory DST
    resize    shrinks images to a shorter side of 256 pixels by Pillow, bilinear, and stores them as JPEGs of
              quality 90 in a TAR file
    raw       the same, but stores the pixels
    verify    decodes all images by Pillow; DST is not written
    inspect   reads the sizes of all images by Pillow, and counts classes; DST is not written

One process, one thread, no checks but the checksums that a format demands. Needs Pillow; lmdb needs lmdb, and
tfrecord google-crc32c.
"""

import io
import json
import os
import struct
import sys
import tarfile
import zipfile


def samples(root):
    """Pairs of a path and a class's number, by class and name."""
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir())
    for label, name in enumerate(classes):
        folder = os.path.join(root, name)
        for file in sorted(os.listdir(folder)):
            yield os.path.join(folder, file), label


def records(root):
    for path, label in samples(root):
        with open(path, "rb") as file:
            yield os.path.splitext(os.path.basename(path))[0], file.read(), label


def shrunk(root):
    from PIL import Image

    for path, label in samples(root):
        with Image.open(path) as image:
            width, height = image.size
            if min(width, height) > 256:
                scale = 256 / min(width, height)
                size = max(256, int(width * scale)), max(256, int(height * scale))
                image = image.resize(size, Image.BILINEAR)
            yield os.path.splitext(os.path.basename(path))[0], image, label


def resized(root):
    for key, image, label in shrunk(root):
        out = io.BytesIO()
        image.save(out, "JPEG", quality=90)
        yield key, out.getvalue(), label


def raw(root):
    for key, image, label in shrunk(root):
        yield key, image.tobytes(), label


def webdataset(some, target):
    with tarfile.open(target, "w") as tar:
        for i, (key, image, label) in enumerate(some):
            for name, content in ((f"{i}.{key}.jpg", image), (f"{i}.{key}.cls", str(label).encode())):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                tar.addfile(entry, io.BytesIO(content))


def zip_file(some, target):
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        for i, (key, image, label) in enumerate(some):
            archive.writestr(f"{label}/{i}.{key}.jpg", image)


def recordio(some, target):
    """MXNet's RecordIO: magic, length, the header of an image record; padded to four bytes."""
    with open(target, "wb") as out, open(target + ".idx", "w") as index:
        for i, (key, image, label) in enumerate(some):
            record = struct.pack("<IfQQ", 0, float(label), i, 0) + image
            index.write(f"{i}\t{out.tell()}\n")
            out.write(struct.pack("<II", 0xCED7230A, len(record)))
            out.write(record)
            out.write(b"\0" * (-len(record) % 4))


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def tfrecord(some, target):
    import google_crc32c

    def masked(content):
        crc = google_crc32c.value(content)
        return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)

    with open(target, "wb") as out:
        for key, image, label in some:
            features = b"".join(
                field(1, field(1, name) + field(2, content))
                for name, content in (
                    (b"image/encoded", field(1, field(1, image))),
                    (b"image/class/label", field(3, field(1, varint(label)))),
                )
            )
            record = field(1, features)
            length = struct.pack("<Q", len(record))
            out.write(length + masked(length))
            out.write(record)
            out.write(masked(record))


def lmdb(some, target):
    import lmdb

    with lmdb.open(target, map_size=1 << 34) as database, database.begin(write=True) as transaction:
        for i, (key, image, label) in enumerate(some):
            transaction.put(f"{i:08d}".encode(), struct.pack("<I", label) + image)


def mds(some, target):
    """MosaicML's shards of 64 MB: the number of samples, their offsets, the columns' head; then the samples."""
    os.makedirs(target)
    head = json.dumps({"column_names": ["image", "label"], "column_sizes": [None, 8], "format": "mds"}).encode()

    def write(number, shard):
        begin = 4 + 4 * (len(shard) + 1) + len(head)
        offsets = [begin]
        for sample in shard:
            offsets.append(offsets[-1] + len(sample))
        with open(os.path.join(target, f"shard.{number:05d}.mds"), "wb") as out:
            out.write(struct.pack(f"<{len(offsets) + 1}I", len(shard), *offsets) + head + b"".join(shard))

    shard, size, number = [], 0, 0
    for key, image, label in some:
        sample = struct.pack("<I", len(image)) + image + struct.pack("<q", label)
        if size + len(sample) > 1 << 26:
            write(number, shard)
            shard, size, number = [], 0, number + 1
        shard.append(sample)
        size += len(sample)
    write(number, shard)


def verify(root):
    from PIL import Image

    for path, _ in samples(root):
        with Image.open(path) as image:
            image.load()


def inspect(root):
    from PIL import Image

    sizes, classes = [], {}
    for path, label in samples(root):
        with Image.open(path) as image:
            sizes.append(image.size)
        classes[label] = classes.get(label, 0) + 1
    print(len(sizes), min(sizes), max(sizes), len(classes))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    kind, source, target = sys.argv[1:]
    formats = {
        "webdataset": webdataset,
        "zip": zip_file,
        "recordio": recordio,
        "tfrecord": tfrecord,
        "lmdb": lmdb,
        "mds": mds,
    }
    if kind in formats:
        formats[kind](records(source), target)
    elif kind == "resize":
        webdataset(resized(source), target)
    elif kind == "raw":
        webdataset(raw(source), target)
    elif kind == "verify":
        verify(source)
    elif kind == "inspect":
        inspect(source)
    else:
        sys.exit(f"KIND must be of {', '.join(formats)}, resize, raw, verify, inspect; was {kind}")


if __name__ == "__main__":
    main()

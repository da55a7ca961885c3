#!/usr/bin/env python3
"""Makes the shards beside this script with Python's tarfile, and lists the samples they have.

    python3 make_fixtures.py          (Python 3.11.2, NumPy 1.24.2)

listing.txt holds for each field: shard, key, suffix, length, CRC-32. Names are grouped by webdataset's
rules (webdataset/tariterators.py: base_plus_ext, group_by_keys, tar_file_iterator), transcribed below.
npy.txt holds for each array: name, dtype, shape, CRC-32 of its elements in C order and little-endian.
"""
import gzip
import io
import os
import re
import tarfile
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
IMAGES = os.path.join(HERE, "..", "image")


def at(name):
    return os.path.join(HERE, name)


def picture(name):
    with open(os.path.join(IMAGES, name), "rb") as f:
        return f.read()


def add(tar, name, data, **fields):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in fields.items():
        setattr(info, key, value)
    tar.addfile(info, io.BytesIO(data))


def special(tar, name, kind, target=""):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    tar.addfile(info)


def names(tar, long_names, unicode_names):
    special(tar, "train", tarfile.DIRTYPE)
    add(tar, "__meta__", b"nobody's")
    add(tar, "__index__/a.txt", b"nobody's")
    add(tar, "README", b"no dot")
    add(tar, "train/a.cls", b"0")
    add(tar, "train/a.JPG", b"\xff\xd8\xff a")
    special(tar, "train/a.lnk", tarfile.SYMTYPE, "/etc/passwd")
    special(tar, "train/a.hard", tarfile.LNKTYPE, "train/a.cls")
    special(tar, "train/a.dev", tarfile.CHRTYPE)
    special(tar, "train/a.fifo", tarfile.FIFOTYPE)
    add(tar, "train/a.seg.png", b"two suffixes")
    add(tar, "train/b.empty", b"")
    add(tar, "v1.0/b.txt", "gr\u00fcn".encode("utf-8"))
    add(tar, "../../etc/c.txt", b"a name and nothing else")
    add(tar, "/etc/d.txt", b"another")
    add(tar, "dir/.hidden.txt", b"hidden")
    add(tar, "e.txt", b"x" * 512)
    add(tar, "e.json", b'{"label": 7, "deep": [{"name": "dog"}]}')
    add(tar, "a/" * 60 + "f.txt", b"needs a prefix, or more")
    if long_names:
        add(tar, "g" * 300 + ".txt", b"long")
        add(tar, "h/" + "h" * 120 + ".txt", b"long")
    if unicode_names:
        add(tar, "\u732b/\U0001f600.txt", b"cat")
    add(tar, "train/a.again", b"the same key further on is another sample")


def write_flavour(name, tar_format, long_names, unicode_names):
    with tarfile.open(at(name), "w", format=tar_format, encoding="utf-8") as tar:
        names(tar, long_names, unicode_names)


META_PREFIX, META_SUFFIX = "__", "__"


def samples(path):
    current = None
    with tarfile.open(path, "r|*", encoding="utf-8") as stream:
        for member in stream:
            name = member.name
            if not member.isreg():
                continue
            if "/" not in name and name.startswith(META_PREFIX) and name.endswith(META_SUFFIX):
                continue
            if re.match(r"__[^/]*__($|/)", name):
                continue
            match = re.match(r"^((?:.*/|)[^.]+)[.]([^/]*)$", name)
            if not match:
                continue
            key, suffix = match.group(1), match.group(2).lower()
            if current is None or key != current[0]:
                if current is not None:
                    yield current
                current = (key, {})
            assert suffix not in current[1], name
            current[1][suffix] = stream.extractfile(member).read()
    if current is not None:
        yield current


def npy(version, array):
    out = io.BytesIO()
    np.lib.format.write_array(out, array, version=version)
    return out.getvalue()


def main():
    write_flavour("ustar.tar", tarfile.USTAR_FORMAT, False, False)
    write_flavour("gnu.tar", tarfile.GNU_FORMAT, True, True)
    write_flavour("pax.tar", tarfile.PAX_FORMAT, True, True)
    with open(at("pax.tar"), "rb") as f, open(at("pax.tar.gz"), "wb") as packed:
        with gzip.GzipFile("", "wb", mtime=0, fileobj=packed) as out:
            out.write(f.read())

    kinds = ["jpeg_420.jpg", "jpeg_grey.jpg", "png_rgb.png", "jpeg_1x1.jpg"]
    number = 0
    for shard, count in enumerate([3, 0, 2]):
        with tarfile.open(at("pictures-%06d.tar" % shard), "w", format=tarfile.USTAR_FORMAT) as tar:
            for _ in range(count):
                kind = kinds[number % len(kinds)]
                key = "%06d" % number
                add(tar, key + ".cls", b"%d\n" % (number % 2))
                add(tar, key + kind[kind.index("."):], picture(kind))
                number += 1
    with open(at("classes.json"), "w") as f:
        f.write('{"classes": ["cat", "dog"]}\n')

    base = np.arange(24).reshape(2, 3, 4)
    arrays = {}
    for dtype in ["u1", "i1", "<i2", "<i4", "<i8", "<f2", "<f4", "<f8", ">i2", ">f4", ">f8", "<u2", "<u4", "<u8"]:
        arrays[dtype] = npy((1, 0), base.astype(dtype)), base.astype(dtype)
    arrays["bool"] = npy((1, 0), base % 3 == 0), base % 3 == 0
    arrays["fortran"] = npy((1, 0), np.asfortranarray(base.astype("<f4"))), base.astype("<f4")
    arrays["fortran_big"] = npy((2, 0), np.asfortranarray(base.astype(">u2"))), base.astype("<u2")
    arrays["scalar"] = npy((3, 0), np.array(2.5)), np.array(2.5)
    arrays["vector"] = npy((1, 0), np.arange(5.0)), np.arange(5.0)
    arrays["none"] = npy((1, 0), np.zeros((0, 3), "<f4")), np.zeros((0, 3), "<f4")
    wider = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}
    with tarfile.open(at("npy.tar"), "w") as tar, open(at("npy.txt"), "w") as listing:
        for name, (data, array) in arrays.items():
            key = name.replace("<", "little_").replace(">", "big_")
            add(tar, key + ".npy", data)
            dtype = wider.get(array.dtype.name, array.dtype.name)
            elements = np.ascontiguousarray(array).astype(np.dtype(dtype).newbyteorder("<")).tobytes()
            shape = "(%s)" % ", ".join(map(str, array.shape))
            listing.write("%s\t%s\t%s\t%08x\n" % (key, dtype, shape, zlib.crc32(elements)))
        add(tar, "complex.npy", npy((1, 0), base.astype("c8")))
        add(tar, "text.npy", npy((1, 0), np.array(["a", "bc"])))
        add(tar, "struct.npy", npy((1, 0), np.zeros(2, [("x", "<f4")])))

    with open(at("listing.txt"), "w", encoding="utf-8") as listing:
        for name in ["ustar.tar", "gnu.tar", "pax.tar", "pax.tar.gz"]:
            for key, fields in samples(at(name)):
                for suffix, data in fields.items():
                    line = (name, key, suffix, len(data), zlib.crc32(data))
                    listing.write("%s\t%s\t%s\t%d\t%08x\n" % line)


main()

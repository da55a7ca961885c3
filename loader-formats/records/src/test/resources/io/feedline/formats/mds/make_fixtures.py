#!/usr/bin/env python3
"""Makes the datasets beside this script in MDS's layout, and lists the values they have.

    python3 make_fixtures.py          (Python 3.11.2, NumPy 1.24.2, zstd 1.5.4)

values.txt holds for each value: sample, column, and the value: integers and text as they are, floating
point as the bits of a double, bytes and arrays by their CRC-32, pictures by their size.
"""
import decimal
import gzip
import hashlib
import os
import struct
import subprocess
import zlib

import numpy as np

from mds_format import SCALARS, write

HERE = os.path.dirname(os.path.abspath(__file__))
WIDER = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}


def picture(name):
    with open(os.path.join(HERE, "..", "image", name), "rb") as f:
        return f.read()


def crc(data):
    return "%08x" % zlib.crc32(data)


def shown(encoding, value):
    if encoding in ("float16", "float32", "float64", "str_float"):
        return struct.pack(">d", struct.unpack(SCALARS.get(encoding, "<d"), struct.pack(SCALARS.get(encoding, "<d"), value))[0]).hex()
    if isinstance(value, np.ndarray):
        dtype = WIDER.get(value.dtype.name, value.dtype.name)
        return "%s (%s) %s" % (dtype, ", ".join(map(str, value.shape)), crc(value.astype(dtype).tobytes()))
    if encoding == "json":
        import json
        return json.dumps(value)
    if encoding in ("jpeg", "png", "pil", "jpeg:90"):
        return "image"
    if isinstance(value, bytes):
        return crc(value)
    return str(value)


def digest(name, data):
    return hashlib.new(name, data).hexdigest()


def gz(data):
    return gzip.compress(data, mtime=0)


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


COLUMNS = {name: name for name in SCALARS}
COLUMNS.update({
    "bytes": "bytes", "str": "str", "json": "json", "str_int": "str_int", "str_float": "str_float",
    "str_decimal": "str_decimal", "jpeg": "jpeg:90", "png": "png", "pil": "pil",
    "any": "ndarray", "typed": "ndarray:uint16", "fixed": "ndarray:float32:2,3",
})


def sample(i):
    values = {}
    for name in SCALARS:
        if name.startswith("float"):
            values[name] = [0.5, -2.0, 65504.0][i % 3]
        else:
            bits = 8 * struct.calcsize(SCALARS[name])
            least, most = (0, 2 ** min(bits, 63) - 1) if name[0] == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
            values[name] = [least, most, 7][i % 3]
    shape = [(3,), (2, 300), (1, 2, 3)][i % 3]
    dtypes = ["uint8", "int8", "uint16", "int16", "float16", "uint32", "int32", "float32", "uint64", "int64", "float64"]
    values.update(
        bytes=bytes(range(i)), str="gr\u00fcn \U0001f600 %d" % i, json={"a": [i, None, "\u00e9"]},
        str_int=-(10 ** i), str_float=1.5 * i, str_decimal=decimal.Decimal("1.%d0" % i),
        jpeg=picture("jpeg_1x1.jpg"), png=picture("png_1x1.png"), pil=(2, 1, "L", b"\x10\x20") if i % 2 else (1, 1, "RGB", b"abc"),
        any=np.arange(np.prod(shape)).reshape(shape).astype(dtypes[i % len(dtypes)]),
        typed=np.arange(i + 1, dtype="uint16") * 6000, fixed=np.arange(6, dtype="float32").reshape(2, 3) - i,
    )
    return values


def main():
    samples = [sample(i) for i in range(12)]
    write(os.path.join(HERE, "plain"), COLUMNS, samples, 5, hashes=["md5", "sha1"], digest=digest)
    with open(os.path.join(HERE, "values.txt"), "w", encoding="utf-8") as listing:
        for i, values in enumerate(samples):
            for name in sorted(COLUMNS):
                listing.write("%d\t%s\t%s\n" % (i, name, shown(COLUMNS[name], values[name])))

    kinds = ["jpeg_420.jpg", "jpeg_grey.jpg", "jpeg_1x1.jpg"]
    pictures = [{"x": picture(kinds[i % 3]), "class": i % 2} for i in range(5)]
    columns = {"x": "jpeg", "class": "uint8"}
    write(os.path.join(HERE, "gz"), columns, pictures, 2, "gz:6", gz, ["sha1"], digest)
    write(os.path.join(HERE, "zstd"), columns, pictures, 2, "zstd:3", zstd, ["sha256"], digest)
    write(os.path.join(HERE, "pkl"), {"x": "jpeg", "meta": "pkl"}, [{"x": pictures[0]["x"], "meta": b"\x80\x04N."}], 2)


main()

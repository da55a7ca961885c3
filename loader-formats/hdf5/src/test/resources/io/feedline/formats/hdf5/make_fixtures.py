#!/usr/bin/env python3
"""Writes the fixtures beside it with h5py (made with h5py 3.14, HDF5 1.14, Pillow 12).

Every array is a function of its shape and dtype, so that tests can compute it: element number e,
row-major, is (e * 7 + 3) modulo a prime, as the dtype has it.

  layouts.h5   arrays in every layout, chunking and filter, of 10 samples each
  latest.h5    the same with the newest file format, whose chunks have other indexes
  types.h5     arrays of every type, in either byte order
  block.h5     a file with a user block, which shifts all addresses
  pictures.h5  encoded pictures: byte strings with labels, and a group for each
  groups.h5    a group for each sample
  odd.h5       what is not supported, and what is missing
  opaque.h5    arrays beside opaque values, which jHDF cannot read; opaque_latest.h5 the same
  chunks.h5    24 rows in chunks of 8 and of 1, to be damaged
  virtual.h5, external.h5  storage that is not supported
  pictures.txt the pictures: label, CRC-32 of the bytes
"""

import io
import pathlib
import zlib

import h5py
import numpy as np
from PIL import Image

HERE = pathlib.Path(__file__).parent
SHAPE = (10, 5, 6, 3)


def values(shape, dtype="u1", prime=251):
    count = int(np.prod(shape))
    return ((np.arange(count) * 7 + 3) % prime).astype(dtype).reshape(shape)


def layouts(name, **options):
    with h5py.File(HERE / name, "w", **options) as f:
        data = values(SHAPE)
        wide = values(SHAPE, "<f4")
        f.create_dataset("contiguous", data=data)
        f.create_dataset("sample", data=data, chunks=(1, 5, 6, 3))
        f.create_dataset("samples", data=data, chunks=(4, 5, 6, 3))
        f.create_dataset("tiles", data=data, chunks=(1, 2, 4, 3))
        f.create_dataset("blocks", data=data, chunks=(3, 2, 4, 2), compression="gzip")
        f.create_dataset("plain blocks", data=data, chunks=(3, 3, 6, 3))
        f.create_dataset("wider", data=data, chunks=(4, 8, 6, 3), compression="gzip",
                         maxshape=(None, None, 6, 3))
        f.create_dataset("gzip", data=data, chunks=(1, 5, 6, 3), compression="gzip")
        f.create_dataset("gzip samples", data=data, chunks=(4, 5, 6, 3), compression="gzip")
        f.create_dataset("shuffle", data=wide, chunks=(1, 5, 6, 3), compression="gzip", shuffle=True)
        f.create_dataset("shuffle samples", data=wide, chunks=(3, 5, 6, 3), compression="gzip", shuffle=True)
        f.create_dataset("only shuffle", data=wide, chunks=(2, 5, 6, 3), shuffle=True)
        f.create_dataset("fletcher", data=data, chunks=(2, 5, 6, 3), fletcher32=True)
        f.create_dataset("all", data=wide, chunks=(2, 5, 6, 3), compression="gzip", shuffle=True, fletcher32=True)
        f.create_dataset("lzf", data=wide, chunks=(2, 5, 6, 3), compression="lzf", shuffle=True)
        f.create_dataset("labels", data=values((10,), "<i4"))
        f.create_dataset("chunked labels", data=values((10,), "<i8"), chunks=(4,), compression="gzip")
        f.create_dataset("fill", shape=SHAPE, dtype="<i2", chunks=(3, 5, 6, 3), fillvalue=-7)
        f["fill"][4] = values(SHAPE[1:], "<i2")
        f.create_dataset("unwritten", shape=SHAPE, dtype="u1")
        f.create_dataset("one chunk", data=data, chunks=SHAPE, compression="gzip")
        f.create_dataset("grown", data=data[:4], chunks=(1, 5, 6, 3), maxshape=(None, 5, 6, 3))
        f["grown"].resize(10, 0)
        f["grown"][4:] = data[4:]
        f.create_dataset("shrunk", data=np.concatenate([data, data]), chunks=(3, 5, 6, 3), maxshape=(None, 5, 6, 3))
        f["shrunk"].resize(10, 0)
        # A chunk whose filters were left out, as a library may where they do not pay.
        f.create_dataset("masked", data=data, chunks=(1, 5, 6, 3), compression="gzip")
        f["masked"].id.write_direct_chunk((3, 0, 0, 0), data[3].tobytes(), filter_mask=1)


def compact(f, name, data):
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_layout(h5py.h5d.COMPACT)
    space = h5py.h5s.create_simple(data.shape)
    dataset = h5py.h5d.create(f.id, name, h5py.h5t.py_create(data.dtype), space, properties)
    dataset.write(h5py.h5s.ALL, h5py.h5s.ALL, data)


def types():
    with h5py.File(HERE / "types.h5", "w") as f:
        shape = (4, 3)
        for code in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"):
            for order in "<>":
                data = values(shape, code)
                if code[0] == "i":
                    data -= 100
                if code == "u2":
                    data += 65000
                if code == "u4":
                    data += 4294960000
                f.create_dataset(order + code, data=data.astype(order + code))
        f.create_dataset("bool", data=values(shape) % 2 == 0)
        f.create_dataset("enum", data=values(shape) % 3, dtype=h5py.enum_dtype({"a": 0, "b": 1, "c": 2}, "u1"))
        f.create_dataset("array", (4, 2), np.dtype(("<i2", (3,))))[...] = values((4, 2, 3), "<i2")
        compact(f, b"compact", values(shape, ">f4"))
        f.create_dataset("u8 large", data=np.array([1, 2**63], "u8"))
        bf16 = h5py.h5t.IEEE_F32LE.copy()
        bf16.set_fields(15, 7, 8, 0, 7)
        bf16.set_size(2)
        bf16.set_ebias(127)
        space = h5py.h5s.create_simple((2, 2))
        bits = (np.array([1.5, -2, 0, 3e38], "<f4").view("<u4") >> 16).astype("<u2").reshape(2, 2)
        h5py.h5d.create(f.id, b"bf16", bf16, space).write(h5py.h5s.ALL, h5py.h5s.ALL, bits, mtype=bf16)


def picture(i):
    image = Image.new("RGB", (9 + i, 8))
    image.putdata([((x * 25 + i * 40) % 256, (y * 30) % 256, (x * y) % 256)
                   for y in range(8) for x in range(9 + i)])
    out = io.BytesIO()
    image.save(out, "PNG" if i % 2 else "JPEG", quality=70)
    return out.getvalue()


def pictures():
    lines = []
    with h5py.File(HERE / "pictures.h5", "w") as f:
        count = 6
        vlen = h5py.vlen_dtype(np.uint8)
        images = f.create_dataset("images", (count,), dtype=vlen)
        chunked = f.create_dataset("nested/jpegs", (count,), dtype=vlen, chunks=(4,), compression="gzip")
        f.create_dataset("labels", data=np.array([i % 3 for i in range(count)], "u1"))
        f.create_dataset("three labels", data=np.zeros(3, "i8"))
        f.create_dataset("soft labels", data=np.zeros((count, 2), "i8"))
        small = f.create_dataset("small", (300,), dtype=vlen)
        for i in range(300):
            small[i] = np.full(i % 5, i % 256, np.uint8)
        for i in range(count):
            data = picture(i)
            lines.append(f"{i % 3},{zlib.crc32(data):08x}")
            images[i] = np.frombuffer(data, np.uint8)
            chunked[i] = np.frombuffer(data, np.uint8)
            group = f.create_group(f"samples/{i * 5}")
            group["image"] = np.frombuffer(data, np.uint8)
            group["label"] = i % 3
    (HERE / "pictures.txt").write_text("\n".join(lines) + "\n")


def groups():
    with h5py.File(HERE / "groups.h5", "w") as f:
        for i in (10, 9, 2, 0, 1):
            group = f.create_group(f"data/{i}")
            group["x"] = values((2, 3), ">i2") + i
            group.create_dataset("y", data=values((4, 4)) % 97 + i, chunks=(3, 2), compression="gzip")
            group["label"] = np.uint16(i)
        f["data/note"] = 5
        f.create_group("empty")
        f["linked"] = h5py.SoftLink("/data")


def odd():
    with h5py.File(HERE / "odd.h5", "w") as f:
        data = values((4, 40), "<i4")
        f["strings"] = np.array([b"a", b"bc"])
        f["scalar"] = 3
        f["null"] = h5py.Empty("f4")
        f["compound"] = np.zeros(3, [("a", "i4"), ("b", "f4")])
        f["floats"] = values((4,), "f4")
        f["four"] = values((4,))
        f["five"] = values((5,))
        f.create_dataset("scaleoffset", data=data, chunks=(2, 40), scaleoffset=0)
        f["outside"] = h5py.ExternalLink("elsewhere.h5", "/x")
        f["circle"] = h5py.SoftLink("/circle")
    with h5py.File(HERE / "virtual.h5", "w") as f:
        layout = h5py.VirtualLayout((4,), "u1")
        layout[:] = h5py.VirtualSource("elsewhere.h5", "x", (4,))
        f.create_virtual_dataset("x", layout)
    with h5py.File(HERE / "external.h5", "w") as f:
        f.create_dataset("x", (4,), "u1", external=[("elsewhere.bin", 0, h5py.h5f.UNLIMITED)])


def opaque(name, **options):
    with h5py.File(HERE / name, "w", **options) as f:
        f["x"] = values((8, 3))
        f["blob"] = np.void(b"abcdefgh")
        f["blobs"] = np.array([b"abc", b"def"], "V3")
        for i in range(3):
            f[f"samples/{i}/a"] = values((3,))
        f["samples/note"] = np.void(b"abcdefgh")


def chunks():
    with h5py.File(HERE / "chunks.h5", "w") as f:
        data = values((24, 6))
        f.create_dataset("eights", data=data, chunks=(8, 6), compression="gzip")
        f.create_dataset("ones", data=data, chunks=(1, 6))
        f.create_dataset("contiguous", data=data)
        f.create_dataset("labels", data=values((24,), "<i4"))


layouts("layouts.h5")
layouts("latest.h5", libver="latest")
types()
pictures()
groups()
odd()
opaque("opaque.h5")
opaque("opaque_latest.h5", libver="latest")
chunks()
with h5py.File(HERE / "block.h5", "w", userblock_size=512) as f:
    f["contiguous"] = values((3, 4))
    f.create_dataset("gzip", data=values((3, 4)), chunks=(2, 4), compression="gzip")
    vlen = f.create_dataset("bytes", (2,), dtype=h5py.vlen_dtype(np.uint8))
    vlen[0] = np.arange(5, dtype=np.uint8)
    vlen[1] = np.arange(9, dtype=np.uint8)

# Elements of array type; made with h5py 3.16, HDF5 2.0. So is what jHDF does not read.
for name, bounds in (("arrays.h5", "earliest"), ("arrays_v110.h5", ("v110", "v110"))):
    with h5py.File(HERE / name, "w", libver=bounds) as f:
        for lengths in ((3,), (2, 3), (2, 1, 3), (3, 1, 5), (2, 2, 2), (2, 1, 3, 2)):
            row = int(np.prod(lengths))
            array = np.arange(4 * row).reshape((4,) + lengths)
            key = "x".join(map(str, lengths))
            kind = np.dtype(("<i4", lengths))
            f.create_dataset(key, (4,), dtype=kind)[...] = array
            f.create_dataset("chunked " + key, (4,), dtype=kind, chunks=(3,), compression="gzip")[...] = array
        odd = h5py.h5t.IEEE_F32LE.copy()
        odd.set_ebias(100)
        h5py.h5d.create(f.id, b"odd bias", odd, h5py.h5s.create_simple((4,)))
        group = f.create_group("group")
        group["there"] = np.arange(3)
        group["link"] = h5py.SoftLink("./there")
        names = h5py.enum_dtype({"ignore": -1, "cat": 0, "dog": 1}, basetype="i4")
        f["negative"] = np.array([0, 1, -1], dtype=names)
with h5py.File(HERE / "hdf5_2.h5", "w", libver="latest") as f:
    f.create_dataset("gzip", data=np.arange(100), chunks=(10,), compression="gzip")
    f["bool"] = np.array([True, False])
    f["plain"] = np.arange(3)

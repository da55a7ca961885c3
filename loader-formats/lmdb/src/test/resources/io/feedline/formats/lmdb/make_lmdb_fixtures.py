"""Makes the LMDB fixtures with Python's lmdb 1.4.0, pickle and lz4, beside this script.

    python3 make_lmdb_fixtures.py

Pictures are the smallest of io/feedline/formats/image. Each database is a few pages; those that are
directories have their data.mdb here as NAME.mdb, and what else they hold as NAME.txt.
"""
import io
import json
import pathlib
import pickle
import shutil
import struct
import tempfile

import lmdb
import lz4.frame
import numpy
from PIL import Image

HERE = pathlib.Path(__file__).parent
IMAGES = HERE.parent / "image"
PICTURES = [(IMAGES / name).read_bytes() for name in ("png_rgb.png", "jpeg_grey.jpg", "jpeg_1x1.jpg")]


def database(name, entries):
    with tempfile.TemporaryDirectory() as folder:
        env = lmdb.open(folder, map_size=1 << 20)
        with env.begin(write=True) as txn:
            for key, value in entries.items():
                txn.put(key, value)
        env.close()
        shutil.copy(f"{folder}/data.mdb", HERE / f"{name}.mdb")


def folder2lmdb(dump):
    """As folder2lmdb.py of Efficient-PyTorch writes it."""
    entries = {}
    for index, (picture, label) in enumerate(zip(PICTURES, (0, 1, 1))):
        entries[str(index).encode("ascii")] = dump((picture, label))
    keys = list(entries)
    entries[b"__keys__"] = dump(keys)
    entries[b"__len__"] = dump(len(keys))
    return entries


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def datum(channels, height, width, data, label, encoded=None):
    """A caffe.proto Datum as protoc's generated code serialises it."""
    out = b"\x08" + varint(channels) + b"\x10" + varint(height) + b"\x18" + varint(width)
    out += b"\x22" + varint(len(data)) + data + b"\x28" + varint(label)
    return out if encoded is None else out + b"\x38" + varint(int(encoded))


def caffe():
    """As convert_imageset and convert_cifar_data write it: raw pixels, planes of B, G, R."""
    rgb = numpy.asarray(Image.open(io.BytesIO(PICTURES[0])).convert("RGB"))
    bgr = rgb[:, :, ::-1].transpose(2, 0, 1)
    grey = numpy.arange(15, dtype=numpy.uint8).reshape(3, 5) * 17
    return {
        b"00000000_cat/0.png": datum(*bgr.shape, bgr.tobytes(), 0),
        b"00000001_cat/1.png": datum(1, 3, 5, grey.tobytes(), 1, False),
        b"00000002_dog/2.jpg": datum(3, 0, 0, PICTURES[1], 2, True),
    }


def patch(height, width, seed):
    state = numpy.random.RandomState(seed)
    out = io.BytesIO()
    Image.fromarray(state.randint(0, 255, (height, width, 3), numpy.uint8)).save(out, "png")
    return out.getvalue()


def basicsr(name, scale):
    """As make_lmdb_from_imgs of BasicSR writes it: keys without extension, meta_info.txt beside."""
    sizes = {"0001_s001": (6, 8), "0001_s002": (6, 8), "0002_s001": (7, 5)}
    database(name, {
        key.encode("ascii"): patch(height * scale, width * scale, seed)
        for seed, (key, (height, width)) in enumerate(sizes.items())
    })
    (HERE / f"{name}.txt").write_text("".join(
        f"{key}.png ({height * scale},{width * scale},3) 1\n" for key, (height, width) in sizes.items()))


# Of the dtypes in a tuple's header; 6 is bfloat16, which NumPy lacks.
NUMBERS = {"uint8": 0, "int8": 1, "int16": 2, "int32": 3, "int64": 4, "float16": 5, "float32": 7,
           "float64": 8, "bool": 9}


def tuple_parts(arrays, blocks):
    """Feedline's tuple of tensors: the header, then each tensor's elements."""
    axes = b"".join(
        struct.pack(f"<BB{a.ndim}q", NUMBERS[a.dtype.name], a.ndim, *a.shape) for a in arrays)
    header = b"FLT1" + struct.pack("<BBH", int(blocks), len(arrays), 8 + len(axes)) + axes
    return [header] + [numpy.ascontiguousarray(a).tobytes() for a in arrays]


def feedline_tensors():
    """In Feedline's layout, each value framed in another way that Python can frame it."""
    entries = {}
    for index in range(4):
        image = (numpy.arange(3 * 40 * 50) * (index + 1) % 251).astype(numpy.uint8).reshape(3, 40, 50)
        arrays = [image, numpy.float32([index, 0.5]), numpy.array(index, numpy.int64)]
        if index == 0:      # linked blocks, cut anyhow
            value = lz4.frame.compress(b"".join(tuple_parts(arrays, False)))
        elif index == 1:    # independent blocks, cut anyhow
            value = lz4.frame.compress(b"".join(tuple_parts(arrays, False)), block_linked=False)
        else:               # a block for each part
            frame = lz4.frame.LZ4FrameCompressor(
                block_linked=False, auto_flush=True, block_checksum=index == 3)
            value = frame.begin() + b"".join(frame.compress(p) for p in tuple_parts(arrays, True))
            value += frame.flush()
        entries[struct.pack(">Q", index)] = value
    entries[b"__feedline__"] = json.dumps({
        "format": "feedline", "version": 1, "kind": "tensors", "count": 4,
        "fields": [
            {"name": "image", "dtype": "uint8", "shape": [3, 40, 50]},
            {"name": "box", "dtype": "float32", "shape": [2]},
            {"name": "label", "dtype": "int64", "shape": []}]}).encode()
    return entries


database("folder2lmdb", folder2lmdb(lambda value: pickle.dumps(value, 4)))
database("caffe", caffe())
basicsr("basicsr_low", 1)
basicsr("basicsr_high", 2)
database("feedline_tensors", feedline_tensors())

# Pickles of all protocols, a line each: protocol, what it is, the pickle in hexadecimal.
VALUES = {
    "picture": (b"\xff\xd8\x00\xd9" * 20, 7),
    "nested": [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4), [], {}, {"a": 1, "b": [None, True, False]},
               b"", "", "ä€😀\\u0041\n", 0, -1, 255, 256, 65536, -2**31, 2**63 - 1, -2**63, 1.5, float("inf")],
    "numpy": (b"x", numpy.int64(5), numpy.float32(0.5), numpy.uint8(200), numpy.bool_(True)),
    "bytearray": bytearray(b"abc\xff"),
    "shared": [["same"] * 3, [b"bytes"] * 2],
    "keys": [str(i).encode("ascii") for i in range(300)],
}
with open(HERE / "pickles.txt", "w") as out:
    for name, value in VALUES.items():
        for protocol in range(6):
            out.write(f"{name} {protocol} {pickle.dumps(value, protocol).hex()}\n")

"""Streaming's MDS layout, transcribed with struct and json (streaming 0.11: base/format/mds/encodings.py,
base/format/mds/writer.py, base/format/mds/reader.py). Streaming itself is not needed."""
import json
import os
import struct

import numpy as np

SCALARS = {
    "int": "<q", "int8": "<b", "int16": "<h", "int32": "<i", "int64": "<q",
    "uint8": "<B", "uint16": "<H", "uint32": "<I", "uint64": "<Q",
    "float16": "<e", "float32": "<f", "float64": "<d",
}
DTYPES = {
    8: "uint8", 9: "int8", 16: "uint16", 17: "int16", 18: "float16", 32: "uint32",
    33: "int32", 34: "float32", 64: "uint64", 65: "int64", 66: "float64",
}
CODES = {name: code for code, name in DTYPES.items()}


def array_parts(encoding):
    parts = encoding.split(":")[1:]
    dtype = parts[0] if parts else None
    shape = tuple(map(int, parts[1].split(","))) if len(parts) > 1 else None
    return dtype, shape


def fixed_size(encoding):
    if encoding in SCALARS:
        return struct.calcsize(SCALARS[encoding])
    if encoding.startswith("ndarray"):
        dtype, shape = array_parts(encoding)
        if dtype and shape:
            return int(np.prod(shape)) * np.dtype(dtype).itemsize
    return None


def encode(encoding, value):
    if encoding in SCALARS:
        return struct.pack(SCALARS[encoding], value)
    if encoding.startswith("ndarray"):
        dtype, shape = array_parts(encoding)
        out = b""
        if dtype is None:
            out += bytes([CODES[value.dtype.name]])
        if shape is None:
            width = next(i for i in range(4) if max(value.shape) < 1 << (8 << i))
            out += bytes([value.ndim << 2 | width])
            out += np.array(value.shape, "<u%d" % (1 << width)).tobytes()
        return out + value.tobytes()
    if encoding == "json":
        return json.dumps(value).encode("utf-8")
    if encoding.startswith("str"):
        return str(value).encode("utf-8")
    if encoding == "pil":
        width, height, mode, raw = value
        return struct.pack("<III", width, height, len(mode)) + mode.encode() + raw
    return value


def decode(encoding, data):
    if encoding in SCALARS:
        return struct.unpack(SCALARS[encoding], data)[0]
    if encoding.startswith("ndarray"):
        dtype, shape = array_parts(encoding)
        at = 0
        if dtype is None:
            dtype = DTYPES[data[at]]
            at += 1
        if shape is None:
            rank, width = data[at] >> 2, 1 << data[at] % 4
            shape = np.frombuffer(data[at + 1:at + 1 + rank * width], "<u%d" % width)
            at += 1 + rank * width
        return np.frombuffer(data[at:], dtype).reshape(shape)
    if encoding == "str":
        return data.decode("utf-8")
    if encoding == "json":
        return json.loads(data.decode("utf-8"))
    if encoding == "str_int":
        return int(data)
    return data


def write(directory, columns, samples, per_shard, compression=None, compress=None, hashes=(), digest=None):
    os.makedirs(directory, exist_ok=True)
    names = sorted(columns)
    encodings = [columns[name] for name in names]
    sizes = [fixed_size(encoding) for encoding in encodings]
    config = {
        "version": 2, "format": "mds", "compression": compression, "hashes": list(hashes),
        "size_limit": 1 << 26, "column_names": names, "column_encodings": encodings, "column_sizes": sizes,
    }
    config_data = json.dumps(config, sort_keys=True).encode("utf-8")
    shards = []
    for first in range(0, len(samples), per_shard):
        encoded = []
        for sample in samples[first:first + per_shard]:
            data = [encode(encoding, sample[name]) for name, encoding in zip(names, encodings)]
            head = [len(datum) for datum, size in zip(data, sizes) if not size]
            encoded.append(np.array(head, "<u4").tobytes() + b"".join(data))
        offsets = np.array([0] + list(map(len, encoded))).cumsum().astype("<u4")
        offsets += 4 + 4 * len(offsets) + len(config_data)
        raw = struct.pack("<I", len(encoded)) + offsets.tobytes() + config_data + b"".join(encoded)
        name = "shard.%05d.mds" % len(shards)
        info = {"basename": name, "bytes": len(raw), "hashes": {h: digest(h, raw) for h in hashes}}
        zip_info, stored = None, raw
        if compression:
            stored = compress(raw)
            name += "." + compression.split(":")[0]
            zip_info = {"basename": name, "bytes": len(stored), "hashes": {h: digest(h, stored) for h in hashes}}
        with open(os.path.join(directory, name), "wb") as f:
            f.write(stored)
        shards.append(dict(config, samples=len(encoded), raw_data=info, zip_data=zip_info))
    with open(os.path.join(directory, "index.json"), "w") as f:
        json.dump({"version": 2, "shards": shards}, f, sort_keys=True)


def read(directory, inflate):
    """Samples as streaming's MDSReader.get_sample_data and decode_sample give them."""
    with open(os.path.join(directory, "index.json")) as f:
        index = json.load(f)
    assert index["version"] == 2
    for shard in index["shards"]:
        stored = shard["zip_data"] or shard["raw_data"]
        with open(os.path.join(directory, stored["basename"]), "rb") as f:
            raw = f.read()
        assert len(raw) == stored["bytes"]
        if shard["zip_data"]:
            raw = inflate(shard["compression"], raw)
        assert len(raw) == shard["raw_data"]["bytes"]
        assert struct.unpack("<I", raw[:4])[0] == shard["samples"]
        begin = struct.unpack("<I", raw[4:8])[0]
        config = json.loads(raw[8 + 4 * shard["samples"]:begin])
        assert all(shard[key] == value for key, value in config.items()), config
        for i in range(shard["samples"]):
            begin, end = struct.unpack("<II", raw[4 + 4 * i:12 + 4 * i])
            data, at, sizes = raw[begin:end], 0, []
            for size in shard["column_sizes"]:
                if not size:
                    size, = struct.unpack("<I", data[at:at + 4])
                    at += 4
                sizes.append(size)
            sample = {}
            for name, encoding, size in zip(shard["column_names"], shard["column_encodings"], sizes):
                sample[name] = decode(encoding, data[at:at + size])
                at += size
            assert at == len(data)
            yield shard, sample

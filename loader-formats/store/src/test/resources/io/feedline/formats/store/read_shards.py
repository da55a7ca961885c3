#!/usr/bin/env python3
"""Reads the images of a store by its index, in Python alone: without Feedline, and without the libraries of
WebDataset and streaming.

    python3 read_shards.py DIRECTORY

DIRECTORY has shards.json (WebDataset, TFRecord) or index.json (MDS). Prints for each sample, in the order of
the store: key, label, SHA-256 of the image, with tabs between them. Shards of WebDataset are read by tarfile;
those of TFRecord by TensorFlow where it is installed, or else by the lines below; those of MDS by struct.
Sizes, numbers of samples and SHA-256 of shards are compared with the index; what differs is an error.
"""
import gzip
import hashlib
import json
import os
import struct
import subprocess
import sys
import tarfile

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
try:
    import tensorflow as tf
except ImportError:
    tf = None

IMAGES = {"jpg", "jpeg", "png", "webp", "bmp", "tif", "tiff", "ppm", "pgm", "pbm", "flc", "flr"}


def main(directory):
    if os.path.exists(os.path.join(directory, "shards.json")):
        samples = listed(directory)
    else:
        samples = mds(directory)
    for key, label, image in samples:
        print("%s\t%d\t%s" % (key, label, hashlib.sha256(image).hexdigest()))


def load(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8") as file:
        return json.load(file)


def check(path, what, found, expected):
    if found != expected:
        raise SystemExit("%s: %s is %s, the index says %s" % (path, what, found, expected))


def digest(path, name):
    hashed = hashlib.new(name)
    with open(path, "rb") as file:
        for part in iter(lambda: file.read(1 << 20), b""):
            hashed.update(part)
    return hashed.hexdigest()


def listed(directory):
    index = load(directory, "shards.json")
    read = tfrecord if index.get("format") == "tfrecord" else webdataset
    for shard in index["shardlist"]:
        path = os.path.join(directory, shard["url"])
        check(path, "its size", os.path.getsize(path), shard["filesize"])
        if "sha256" in shard:
            check(path, "its SHA-256", digest(path, "sha256"), shard["sha256"])
        samples = 0
        for sample in read(path, index.get("options", {})):
            samples += 1
            yield sample
        check(path, "its number of samples", samples, shard["nsamples"])


def webdataset(path, options):
    """Neighboring entries with the same name up to the first dot behind the last slash are a sample."""
    last, fields = None, {}
    with tarfile.open(path, encoding="utf-8") as tar:
        for member in tar:
            directory, name = os.path.split(member.name)
            base, suffix = name.split(".", 1)
            key = os.path.join(directory, base)
            if key != last and last is not None:
                yield image_of(last, fields)
                fields = {}
            last = key
            fields[suffix] = tar.extractfile(member).read()
    if last is not None:
        yield image_of(last, fields)


def image_of(key, fields):
    image, = [data for suffix, data in fields.items() if suffix in IMAGES]
    return key, int(fields["cls"]), image


def tfrecord(path, options):
    encoded = options.get("image-field", "image/encoded")
    label = options.get("label-field", "image/class/label")
    first = int(options.get("first-label", 0))
    for record in records(path):
        features = example(record)
        name = os.path.splitext(features["image/filename"][0].decode("utf-8"))[0]
        stored = features[label][0]
        yield name, stored - first if stored >= first else -1, features[encoded][0]


def records(path):
    if tf:
        for record in tf.data.TFRecordDataset(path):
            yield record.numpy()
        return
    with open(path, "rb") as file:
        for header in iter(lambda: file.read(12), b""):
            length, _ = struct.unpack("<QI", header)
            data = file.read(length)
            check(path, "the length of a record", len(data), length)
            file.read(4)
            yield data


def example(record):
    if tf:
        kinds = {"bytes_list", "float_list", "int64_list"}
        features = tf.train.Example.FromString(record).features.feature
        return {
            name: [value for kind in kinds for value in getattr(feature, kind).value]
            for name, feature in features.items()
        }
    features = {}
    for _, feature in fields_of(next(fields_of(record))[1]):
        (_, name), (_, value) = fields_of(feature)
        for kind, values in fields_of(value):
            if kind == 1:
                features[name.decode("utf-8")] = [data for _, data in fields_of(values)]
            elif kind == 3:
                features[name.decode("utf-8")] = integers(values)
    return features


def fields_of(message):
    """The number and the value of each field of a protobuf message."""
    at = 0
    while at < len(message):
        tag, at = varint(message, at)
        if tag & 7 == 0:
            value, at = varint(message, at)
        else:
            size, at = varint(message, at)
            value, at = message[at:at + size], at + size
        yield tag >> 3, value


def integers(values):
    found, at = [], 0
    while at < len(values):
        tag, at = varint(values, at)
        end = at
        if tag & 7 == 2:
            size, at = varint(values, at)
            end = at + size
        while True:
            value, at = varint(values, at)
            found.append(value - (1 << 64) if value >> 63 else value)
            if at >= end:
                break
    return found


def varint(message, at):
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return value, at


def mds(directory):
    for shard in load(directory, "index.json")["shards"]:
        stored = shard["zip_data"] or shard["raw_data"]
        path = os.path.join(directory, stored["basename"])
        check(path, "its size", os.path.getsize(path), stored["bytes"])
        for name, expected in stored["hashes"].items():
            if name in hashlib.algorithms_available:
                check(path, "its " + name, digest(path, name), expected)
        with open(path, "rb") as file:
            raw = file.read()
        if shard["zip_data"]:
            raw = inflate(shard["compression"], raw)
        samples, = struct.unpack("<I", raw[:4])
        check(path, "its number of samples", samples, shard["samples"])
        for i in range(samples):
            begin, end = struct.unpack("<II", raw[4 + 4 * i:12 + 4 * i])
            values = columns(shard, raw[begin:end])
            label = int.from_bytes(values["label"], "little", signed=True)
            yield values["key"].decode("utf-8"), label, values["image"]


def inflate(compression, data):
    if compression.startswith("gz"):
        return gzip.decompress(data)
    return subprocess.run(["zstd", "-q", "-d", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


def columns(shard, sample):
    sizes, at = [], 0
    for size in shard["column_sizes"]:
        if not size:
            size, = struct.unpack("<I", sample[at:at + 4])
            at += 4
        sizes.append(size)
    values = {}
    for name, size in zip(shard["column_names"], sizes):
        values[name], at = sample[at:at + size], at + size
    return values


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    main(sys.argv[1])

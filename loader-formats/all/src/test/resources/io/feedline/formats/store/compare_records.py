#!/usr/bin/env python3
"""Compares, as compare_mutants.py beside it, what Feedline read of damaged stores with what others read of them: row by row.

    java -Xmx256m -cp ... io.feedline.formats.store.StoreFuzzer KIND COUNT SEED KEEP
    python3 compare_records.py KEEP [KIND ...]

KIND is one or several of these (all, unless named), with the other side:

    tfrecord   tf.compat.v1.io.tf_record_iterator and tf.train.Example (tensorflow-cpu)
    recordio   recordio.py of loader-records, dmlc-core's reader line by line
    mds        streaming.base.format.mds.MDSReader: PYTHONPATH has a checkout of mosaicml/streaming, of which only the
               modules that read are loaded
    lmdb       py-lmdb
    hdf5       h5py

A file that ends the process of the other side counts as refused there. Counted are files:

    both refuse      neither has a row
    equal            the same rows; "some refused": Feedline refuses some of them
    only Feedline    only Feedline has a row, or it has more of them; "as it was": these are in the undamaged file
    only the other   Feedline is stricter
    different        a row that both have is not the same, or both end and not at the same row
"""
import collections
import importlib.util
import io
import json
import multiprocessing
import os
import pickle
import re
import signal
import struct
import sys
import types
import zlib

MOST_ROWS = 64
RESOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), *[".."] * 8)
DIGEST = re.compile(r"\d+:[0-9a-f]{8}")


def digest(data):
    return "%d:%08x" % (len(data), zlib.crc32(data))


def module(path):
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], os.path.join(RESOURCES, path))
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


# ---- The other side: (rows, whether they end where the store does). A row is a list of words, or None where it is refused.
def float_bits(value):
    return 0x7FC00000 if value != value else struct.unpack("<i", struct.pack("<f", value))[0]


def example(record):
    import tensorflow as tf
    parsed = tf.train.Example()
    parsed.ParseFromString(record)
    out, images, labels = b"", [], [-1]
    for name in sorted(parsed.features.feature, key=lambda n: n.encode("utf-16-be")):
        feature = parsed.features.feature[name]
        kind = feature.WhichOneof("kind")
        if kind is None:
            raise ValueError("no kind")
        values = list(getattr(feature, kind).value)
        java = {"bytes_list": "Bytes", "float_list": "Floats", "int64_list": "Int64s"}[kind]
        out += ("%s%d%s" % (name, len(values), java)).encode()
        if kind == "bytes_list":
            out += b"".join(values)
            images += map(digest, values)
        else:
            numbers = values if kind == "int64_list" else map(float_bits, values)
            out += ("[" + ", ".join(map(str, numbers)) + "]").encode()
            labels += values
    return digest(out), images, labels


def tfrecord(path, _):
    import tensorflow as tf
    kind = "GZIP" if ".gz." in path else "ZLIB" if ".zlib." in path else ""
    options = tf.compat.v1.io.TFRecordOptions(tf.compat.v1.io.TFRecordCompressionType.__dict__[kind or "NONE"])
    rows = []
    try:
        for record in tf.compat.v1.io.tf_record_iterator(path, options=options):
            try:
                parsed = example(record)
            except Exception:
                parsed = None, [], []
            rows.append((digest(record),) + parsed)
    except Exception:
        return rows, False
    return rows, True


def recordio(path, words):
    reader = module("records/src/test/resources/io/feedline/formats/recordio/recordio.py")
    index = path[:-4] + ".idx"
    rows = []
    with open(path, "rb") as file:
        if os.path.exists(index) and words[:1] != ["without-index"]:
            # As MXIndexedRecordIO reads it: a dict by keys.
            with open(index) as lines:
                places = {int(key): int(at) for key, at in (line.strip().split("\t") for line in lines)}
            for at in places.values():
                try:
                    file.seek(at)
                    record = reader.next_record(file)
                    rows.append(record)
                except Exception:
                    rows.append(None)
            return list(map(unpacked, rows)), True
        try:
            while (record := reader.next_record(file)) is not None:
                rows.append(record)
        except Exception:
            return list(map(unpacked, rows)), False
    return list(map(unpacked, rows)), True


def unpacked(record):
    """The record, and the image that an IRHeader with one label, or with several, begins."""
    if record is None:
        return None
    images, labels = [digest(record)], [-1]
    if len(record) >= 24:
        flag, label = struct.unpack("<If", record[:8])
        images.append(digest(record[24 + 4 * flag:]))
        labels += [label] if flag == 0 else struct.unpack("<%df" % flag, record[24:24 + 4 * flag])[:1] \
            if len(record) >= 24 + 4 * flag else []
    return digest(record), images, labels


def streaming():
    """The modules that read, without those that they are packaged with."""
    for name in ("streaming", "streaming.base", "streaming.base.format", "streaming.base.format.base",
                 "streaming.base.format.mds"):
        if name not in sys.modules:
            made = sys.modules[name] = types.ModuleType(name)
            made.__path__ = [os.path.join(p, *name.split(".")) for p in sys.path]
    util = sys.modules["streaming.base.util"] = types.ModuleType("streaming.base.util")
    util.bytes_to_int = lambda text: (_ for _ in ()).throw(ValueError(text))
    from streaming.base.format.mds.reader import MDSReader
    return MDSReader


def mds_word(encoding, value):
    import numpy
    if encoding.split(":")[0] in ("jpeg", "png", "pil"):
        return "image"
    if encoding == "json":
        return None
    if isinstance(value, numpy.ndarray):
        wider = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}.get(value.dtype.name, value.dtype.name)
        shape = "(" + ",".join(map(str, value.shape)) + ")"
        return wider.upper() + shape, digest(value.astype(wider).tobytes())
    if isinstance(value, (bytes, str)):
        return digest(value if isinstance(value, bytes) else value.encode())
    if isinstance(value, (float, numpy.floating)):
        number = float(value)
        return "%016x" % (0x7FF8 << 48 if number != number else struct.unpack("<q", struct.pack("<d", number))[0] & (1 << 64) - 1)
    return str(int(value)) if isinstance(value, (int, numpy.integer)) else str(value)


def mds(path, _):
    import gzip
    import zstandard
    reader = streaming()
    rows = []
    with open(os.path.join(path, "index.json")) as file:
        index = json.load(file)
    if index["version"] != 2:
        raise ValueError("version")
    for shard in index["shards"]:
        # A quality is for writing; the newest reader knows none.
        shard["column_encodings"] = [re.sub("^jpeg:[0-9]+$", "jpeg", name) for name in shard["column_encodings"]]
        samples = reader.from_json(path, None, shard)
        samples.validate(False)
        try:
            if samples.zip_data:
                with open(os.path.join(path, samples.zip_data.basename), "rb") as file:
                    packed = file.read()
                if samples.compression.split(":")[0] == "gz":
                    data = gzip.decompress(packed)
                else:
                    data = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(packed), read_across_frames=True).read()
                with open(os.path.join(path, samples.raw_data.basename), "wb") as file:
                    file.write(data)
        except Exception:
            rows += [None] * samples.samples
            continue
        for i in range(min(samples.samples, MOST_ROWS)):
            try:
                sample = samples[i]
                words = []
                for name, encoding in zip(samples.column_names, samples.column_encodings):
                    word = mds_word(encoding, sample[name])
                    words += [re.sub(r"\s", "_", name)] + (list(word) if isinstance(word, tuple) else [word])
                rows.append(words)
            except Exception:
                rows.append(None)
    return rows, sum(shard["samples"] for shard in index["shards"])


class OnlyValues(pickle.Unpickler):
    def find_class(self, *name):
        raise pickle.UnpicklingError(name)


def lmdb(path, _):
    import lmdb
    rows = []
    with lmdb.open(path, subdir=False, readonly=True, lock=False, map_size=1 << 28) as database, database.begin() as reading:
        try:
            for key, value in reading.cursor():
                images, labels = [digest(value)], [-1]
                try:
                    image, label = OnlyValues(io.BytesIO(value)).load()
                    images.append(digest(image))
                    labels.append(label)
                except Exception:
                    pass
                for all, more in zip((images, labels), datum(value)):
                    all += more
                rows.append((key, digest(key), digest(value), images, labels))
        except lmdb.Error:
            return rows, False
    return rows, True


def datum(value):
    """The image of a Datum of Caffe, planes of blue, green and red as a PNM, and its label."""
    at, found = 0, {}

    def varint():
        nonlocal at
        number, shift = 0, 0
        while True:
            byte = value[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number
    try:
        while at < len(value):
            key = varint()
            number = varint()
            if key & 7 == 2:
                found[key >> 3] = value[at:at + number]
                at += number
            else:
                found[key >> 3] = number
    except IndexError:
        pass
    data, label = found.get(4, b""), [found.get(5, 0)]
    channels, height, width = (found.get(i, 0) for i in (1, 2, 3))
    if not isinstance(data, bytes) or any(isinstance(side, bytes) for side in (channels, height, width)):
        return [], label
    if found.get(7) or len(data) != channels * height * width:
        return [digest(data)], label
    planes = [data[i * height * width:(i + 1) * height * width] for i in range(channels)]
    pixels = b"".join(map(bytes, zip(*planes[::-1])))
    return [digest(b"P%d %d %d 255\n" % (6 if channels == 3 else 5, width, height) + pixels)], label


def hdf5(path, words):
    import h5py
    name = re.sub(r"^hdf5-\d+-", "", os.path.basename(path))
    with h5py.File(path, "r") as file:
        if "@" in name:
            return samples(file[name.split("@")[0]])
        if name == "groups.h5":
            groups = [group for group in file["data"].values() if isinstance(group, h5py.Group)]
            groups.sort(key=lambda g: [int(t) if t.isdigit() else t for t in re.split(r"(\d+)", g.name)])
            return [samples([group["x"][()]])[0][0] for group in groups[:MOST_ROWS]], len(groups)
        rows, size = samples(file["images"])
        return [row and row + [int(file["labels"][i])] for i, row in enumerate(rows)], size


def samples(array):
    rows = []
    for i in range(min(len(array), MOST_ROWS)):
        try:
            value = array[i]
            rows.append([digest(native(value)), digest(bytes(value))])
        except Exception:
            rows.append(None)
    return rows, len(array)


def native(value):
    import numpy
    value = numpy.asarray(value)
    wider = {"uint16": "int32", "uint32": "int64", "uint64": "int64"}.get(value.dtype.name, value.dtype.newbyteorder("="))
    return value.astype(wider).tobytes()


# ---- Our side: {row: its words}, and how many rows there are; None: nothing tells.
def ours(words):
    words = [w for w in words if w != "without-index"]
    rows, size = {}, None
    if words and words[0].isdigit():
        size = int(words[0])
        for w in words[1:]:
            if re.fullmatch(r"[#@]\d+", w):
                rows[int(w[1:])] = []
            elif rows:
                rows[max(rows)].append(w)
        # Of a row that is refused a part may have been read: the record whose features are not.
        return size, {i: r for i, r in rows.items() if r and (r[-1] != "refused" or any(map(DIGEST.fullmatch, r)))}
    for i, w in enumerate(words):
        if not DIGEST.fullmatch(w):
            break
        rows[i] = [w]
    return None, rows


def same(kind, is_image, got, other):
    if kind == "hdf5" and is_image:
        return got[2] in other and int(got[1]) == other[-1]
    if kind == "hdf5":
        digests = [w for w in got if DIGEST.fullmatch(w)]
        return "refused" in got or all(d in other for d in digests)
    if kind == "mds":
        if "refused" in got:
            return True
        return len(got) == len(other) and all(o is None or g == o for g, o in zip(got, other))
    if is_image:
        label = float(got[1])
        return got[2] in other[-2] and label in other[-1]
    if kind == "lmdb":
        return got[:2] == list(other[1:3])
    if got[0] != other[0]:
        return False
    return kind == "recordio" or len(got) < 2 or got[1] == "refused" or other[1] is None or got[1] == other[1]


def verdict(line, keep, before, crashes):
    """How a file is read by both; of one that ended this process before, the other side reads nothing."""
    name, what, text = (line.rstrip("\n").split("\t", 2) + [""])[:3]
    kind = name.split("-", 1)[0]
    path = os.path.join(keep, name)
    original = re.sub(r"^\w+-\d+-", "", name)
    if os.path.isdir(path) and original in os.listdir(path):
        path = os.path.join(path, original)
    words = text.split(" ") if what == "read" else []
    is_image = any(w.startswith("#") for w in words)
    size, rows = ours(words)
    try:
        theirs, ends = ([], False) if crashes else globals()[kind](path, words)
    except BaseException:
        theirs, ends = [], False
    crashed = ", which ends its process" if crashes else ""
    if is_image and kind == "lmdb":
        by_key = {os.path.splitext(re.sub(r"\s", "_", row[0].decode("utf-8", "replace")))[0]: row for row in theirs}
        theirs = {i: by_key.get(os.path.splitext(row[0])[0]) for i, row in rows.items()}
        theirs = [theirs.get(i) for i in range(max(theirs, default=-1) + 1)]
    compared = [i for i in rows if i < len(theirs) and theirs[i] is not None
                and not (kind == "tfrecord" and is_image and theirs[i][1] is None)]
    if not all(same(kind, is_image, rows[i], theirs[i]) for i in compared):
        return name, kind, "different"
    if not rows and size != 0:
        return name, kind, ("only the other" if any(theirs) else "both refuse") + crashed
    if len(compared) < len(rows):
        was = before.get(original, set())
        new = [i for i in rows if i not in compared]
        as_it_was = all(tuple(rows[i]) in was for i in new)
        return name, kind, "only Feedline" + (", as it was" if as_it_was else "") + crashed
    full = ends if kind in ("hdf5", "mds") else len(theirs)  # of which no more than the first are read
    if ends and size is not None and size != full and not is_image:
        return name, kind, "different in number"
    if "refused" in words or (size is not None and len(rows) < min(size, MOST_ROWS)) or len(rows) < len(theirs):
        return name, kind, "equal, some refused"
    return name, kind, "equal"


def verdicts(lines, keep, before):
    """Reads in a process of its own, and in the next one behind a file that has ended it."""
    done = 0
    while done < len(lines):
        receive, send = multiprocessing.Pipe(False)
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            for line in lines[done:]:
                signal.alarm(60)
                send.send(verdict(line, keep, before, False))
            os._exit(0)
        send.close()
        try:
            while True:
                yield receive.recv()
                done += 1
        except EOFError:
            os.waitpid(child, 0)
        if done < len(lines):
            yield verdict(lines[done], keep, before, True)
            done += 1


def main():
    keep, kinds = sys.argv[1], sys.argv[2:]
    with open(os.path.join(keep, "results.tsv"), encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.count("\t") and (not kinds or line.split("-")[0] in kinds)
                 and "feedline_tensors" not in line]  # which only Feedline reads
    seen = collections.defaultdict(collections.Counter)
    for line in lines:
        name, what, text = (line.rstrip("\n").split("\t", 2) + [""])[:3]
        if what == "read":
            seen[re.sub(r"^\w+-\d+-", "", name)].update({tuple(r) for r in ours(text.split(" "))[1].values()})
    before = {name: {row for row, n in counts.items() if n > 2} for name, counts in seen.items()}
    counts, examples = collections.Counter(), collections.defaultdict(list)
    if any(line.startswith("tfrecord") for line in lines):
        import tensorflow  # once, before the processes part
    for name, kind, what in verdicts(lines, keep, before):
        counts[kind, what] += 1
        examples[kind, what].append(name)
    for (kind, what), number in sorted(counts.items()):
        print(kind, what, number, "" if what in ("equal", "both refuse") else examples[kind, what][:8], sep="\t")


if __name__ == "__main__":
    main()

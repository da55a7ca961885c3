#!/usr/bin/env python3
"""Compares what Feedline read of damaged stores with what the formats' own libraries read of them.

    java -Xmx256m -cp ... io.feedline.formats.store.StoreFuzzer KIND COUNT SEED KEEP
    python3 compare_mutants.py KEEP [FOLDER]        (pyarrow 25; zipfile and tarfile of Python 3.11)

KEEP has the mutants and results.tsv, KIND is parquet, arrow, zip or webdataset, or several with commas. FOLDER
gets a copy of each file that is read differently. Counted are files:

    both refuse      neither opens it, or no row of it
    equal            the same rows with the same bytes, keys and labels
    some refused     Feedline refuses some rows, the others are equal
    only Feedline    only Feedline reads it; "as it was": the rows are among those of the undamaged file
    only the other   only the other reads it: Feedline is stricter
    lacks some       tarfile ends silently at the first header with a number it cannot read, such as an owner's
    different        both read it, and a row that both have is not the same: a fault, or to be explained

A row of a table equals if one pair of columns, or parts of them, holds all images and all labels that Feedline read.
Names of classes are numbered in the order of the sorted names, as Feedline numbers them. An image that the other side reads as null
counts as refused there; a label that is null is -1.
"""
import collections
import functools
import itertools
import json
import multiprocessing
import os
import re
import shutil
import sys
import tarfile
import zipfile
import zlib

# Rows that the Java side reads of each store.
MOST_ROWS = 64


def digest(data):
    return "%d:%08x" % (len(data), zlib.crc32(data))


# ---- The other side: a list of possible tables, each a list of rows (image, label or None, key or None).
def leaves(column, name=""):
    """The columns below a column, by their names."""
    import pyarrow as pa
    kind = column.type
    if pa.types.is_struct(kind):
        for i in range(kind.num_fields):
            field = kind.field(i)
            yield from leaves(pa.compute.struct_field(column, i), name + "." + field.name)
    else:
        yield name, column


def tables(path, kind):
    import pyarrow as pa
    import pyarrow.compute
    import pyarrow.ipc
    import pyarrow.parquet
    if kind == "parquet":
        table = pa.parquet.ParquetFile(path, page_checksum_verification=True).read()
    else:
        with pa.OSFile(path) as file:
            is_file = file.read(6) == b"ARROW1"
            file.seek(0)
            table = (pa.ipc.open_file(file) if is_file else pa.ipc.open_stream(file)).read_all()
    table.validate(full=True)
    images, labels = [], [[-1] * len(table)]
    for name in range(table.num_columns):
        for _, column in leaves(table.column(name)):
            if pa.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type)
            values = column.to_pylist()[:]
            if any(isinstance(v, bytes) for v in values):
                images.append([None if v is None else digest(v) for v in values[:MOST_ROWS]])
            kinds = {type(v) for v in values if v is not None}
            if kinds <= {int}:
                labels.append([-1 if v is None else v for v in values[:MOST_ROWS]])
            if kinds <= {str}:
                names = sorted({v for v in values if v is not None}, key=lambda v: v.encode())
                labels.append([-1 if v is None else names.index(v) for v in values[:MOST_ROWS]])
    return len(table), [list(zip(i, l)) for i, l in itertools.product(images, labels)]


def members(path, kind):
    """The bytes of all members by their names."""
    found = {}
    if kind == "zip":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir():
                    found.setdefault(info.filename, []).append(digest(archive.read(info)))
    else:
        with tarfile.open(path, "r:") as archive:
            for info in archive:
                if info.isreg():
                    data = archive.extractfile(info).read()
                    if len(data) != info.size:
                        raise tarfile.ReadError("cut off")
                    found.setdefault(info.name, []).append(digest(data))
    return found


def theirs(path, kind):
    try:
        return tables(path, kind) if kind in ("parquet", "arrow") else members(path, kind)
    except Exception:
        return None


# ---- Our side: {row: (image, label, key)}; the words of results.tsv.
def ours(words):
    if not words or not words[0].isdigit():
        return None, {}
    rows, at, row = {}, 1, -1
    while at < len(words):
        if re.fullmatch(r"#\d+", words[at]):
            row = int(words[at][1:])
            if at + 3 < len(words) and re.fullmatch(r"\d+:[0-9a-f]{8}", words[at + 3]):
                rows[row] = (words[at + 3], int(words[at + 2]), words[at + 1])
        at += 1
    return int(words[0]), rows


def same_table(size, rows, other):
    length, candidates = other
    if length != size:
        return False
    for candidate in candidates:
        if all(r < len(candidate) and candidate[r][0] == image and candidate[r][1] == label
               for r, (image, label, _) in rows.items()):
            return True
    return False


def members_verdict(rows, fields, other):
    """How the images, or the fields of samples, compare with an archive's members."""
    wanted = [(key, None, image) for image, _, key in rows.values()] if fields is None else fields
    lacking = False
    for key, suffix, data in wanted:
        names = [n for n in other if clean(n).startswith(key)
                 and (clean(n).lower().endswith("." + suffix) if suffix else not n.endswith(".cls"))]
        if names and not any(data in other[n] for n in names):
            return "different"
        lacking |= not names
    return "the other lacks some" if lacking else "equal"


def clean(name):
    if re.search("[\ud800-\udfff]", name):
        name = name.encode("utf-8", "surrogateescape").decode("latin-1")
    return re.sub(r"\s", "_", name[2:] if name.startswith("./") else name)


def web_fields(words):
    """What StoreFuzzer notes of samples: key, and suffix and bytes of each field."""
    fields, key, at = [], None, 1
    while at < len(words):
        if at + 1 < len(words) and re.fullmatch(r"\d+:[0-9a-f]{8}", words[at + 1]) and key is not None:
            fields.append((key, words[at], words[at + 1]))
            at += 2
        else:
            key = words[at] if words[at] != "refused" and not words[at].startswith("#") else key
            at += 1
    return fields


def outcome(line, keep, before):
    name, verdict, text = (line.rstrip("\n").split("\t", 2) + [""])[:3]
    kind = name.split("-", 1)[0]
    path = os.path.join(keep, name)
    other = theirs(path, kind)
    words = text.split(" ") if verdict == "read" else []
    size, rows = ours(words)
    fields = None
    if kind == "webdataset" and words and not any(re.fullmatch(r"#\d+", w) for w in words):
        fields = web_fields(words)
    got = bool(rows) or bool(fields) or (verdict == "read" and words[:1] == ["0"])
    if other is None:
        if not got:
            return name, kind, "both refuse"
        whole = before.get(re.sub(r"^\w+-\d+-", "", name), set())
        as_it_was = all(image in whole for image, _, _ in rows.values()) and all(f[2] in whole for f in fields or [])
        return name, kind, "only Feedline" + (", as it was" if as_it_was else "")
    if not got:
        return name, kind, "only the other"
    if kind in ("parquet", "arrow"):
        if not same_table(size, rows, other):
            return name, kind, "different"
        return name, kind, "equal" if len(rows) == min(size, MOST_ROWS) else "some refused"
    verdict = members_verdict(rows, fields, other)
    return name, kind, "some refused" if verdict == "equal" and "refused" in words else verdict


def main():
    keep = sys.argv[1]
    with open(os.path.join(keep, "results.tsv"), encoding="utf-8", errors="replace") as file:
        lines = [line for line in file if line.count("\t")]
    # Undamaged bytes, by the name of the file: those that most mutants of it have.
    seen = collections.defaultdict(collections.Counter)
    for line in lines:
        name, verdict, text = (line.rstrip("\n").split("\t", 2) + [""])[:3]
        seen[re.sub(r"^\w+-\d+-", "", name)].update(set(re.findall(r"\b\d+:[0-9a-f]{8}\b", text)))
    before = {name: {d for d, n in counts.items() if n > 2} for name, counts in seen.items()}
    counts, examples = collections.Counter(), collections.defaultdict(list)
    # A library that crashes takes a worker with it, not the comparison.
    with multiprocessing.Pool(2, maxtasksperchild=2000) as pool:
        for name, kind, what in pool.imap(functools.partial(outcome, keep=keep, before=before), lines, 50):
            counts[kind, what] += 1
            examples[kind, what].append(name)
    for (kind, what), number in sorted(counts.items()):
        print(kind, what, number, "" if what in ("equal", "both refuse") else examples[kind, what][:6], sep="\t")
    if len(sys.argv) > 2:
        os.makedirs(sys.argv[2], exist_ok=True)
        for (kind, what), names in examples.items():
            if what in ("different", "only Feedline"):
                for name in names:
                    shutil.copy(os.path.join(keep, name), os.path.join(sys.argv[2], name))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Makes the stores beside this script that consist of shards in several directories.

    python3 make_fixtures.py          (Python 3.11.7, NumPy 2.4.6)

wids: tars by Python's tarfile, and shards.json as webdataset's widsindex writes it (wids/wids_index.py,
main_create): url, md5sum, nsamples and filesize of each shard.
merged: datasets in MDS's layout, and the index.json that streaming's merge_index makes of theirs
(streaming/base/util.py, _merge_partition_indices): basenames with the datasets' directories in front.
merged-gz: the same, compressed.
listing.txt holds for each sample of any of them: key, label, SHA-256 of the image.
"""
import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "mds"))
from mds_format import write  # noqa: E402


def picture(name):
    with open(os.path.join(HERE, "..", "image", name), "rb") as f:
        return f.read()


SAMPLES = [
    {"key": "s%d" % i, "label": i % 3, "image": picture(["jpeg_1x1.jpg", "png_1x1.png"][i % 2])} for i in range(6)
]
PARTS = {"b": SAMPLES[:2], "a/c": SAMPLES[2:5], "a/b": SAMPLES[5:]}


def tar_of(path, samples):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        for sample in samples:
            suffix = "png" if sample["image"].startswith(b"\x89PNG") else "jpg"
            for name, data in [("cls", b"%d" % sample["label"]), (suffix, sample["image"])]:
                info = tarfile.TarInfo("%s.%s" % (sample["key"], name))
                info.size = len(data)
                tar.addfile(info, io.BytesIO(data))


def wids(directory):
    files = []
    for part, samples in PARTS.items():
        url = part + "/part-000000.tar"
        path = os.path.join(directory, url)
        tar_of(path, samples)
        with open(path, "rb") as f:
            data = f.read()
        files.append(dict(url=url, md5sum=hashlib.md5(data).hexdigest(), nsamples=len(samples), filesize=len(data)))
    result = dict(__kind__="wids-shard-index-v1", wids_version=1, shardlist=files)
    result["name"] = "train"
    with open(os.path.join(directory, "shards.json"), "w") as f:
        json.dump(result, f, indent=2)


def merged(directory, compression=None):
    columns = {"image": "bytes", "key": "str", "label": "int"}
    shards = []
    for part, samples in PARTS.items():
        write(os.path.join(directory, part), columns, samples, 2, compression,
              lambda data: gzip.compress(data, mtime=0), ["sha1"], lambda name, data: hashlib.new(name, data).hexdigest())
        index = os.path.join(directory, part, "index.json")
        with open(index) as f:
            obj = json.load(f)
        os.remove(index)
        for i in range(len(obj["shards"])):
            shard = obj["shards"][i]
            for key in ("raw_data", "zip_data"):
                if shard.get(key):
                    obj["shards"][i][key]["basename"] = os.path.join(part, shard[key]["basename"])
        shards += obj["shards"]
    with open(os.path.join(directory, "index.json"), "w") as f:
        json.dump({"version": 2, "shards": shards}, f)


wids(os.path.join(HERE, "wids"))
merged(os.path.join(HERE, "merged"))
merged(os.path.join(HERE, "merged-gz"), "gz:6")
with open(os.path.join(HERE, "listing.txt"), "w") as listing:
    for sample in SAMPLES:
        listing.write("%s\t%d\t%s\n" % (sample["key"], sample["label"], hashlib.sha256(sample["image"]).hexdigest()))

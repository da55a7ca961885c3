"""Reads pictures with TensorFlow: read_pictures.py PATTERN OUT. Decodes each, to see that it is whole."""

import glob
import os
import sys
import zlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/filename": tf.io.FixedLenFeature([], tf.string),
    "image/format": tf.io.FixedLenFeature([], tf.string),
    "image/class/label": tf.io.FixedLenFeature([], tf.int64),
    "image/class/text": tf.io.FixedLenFeature([], tf.string, default_value=""),
    "image/width": tf.io.FixedLenFeature([], tf.int64),
    "image/height": tf.io.FixedLenFeature([], tf.int64),
}

pattern, out = sys.argv[1:]
with open(out, "w", encoding="utf-8") as lines:
    for record in tf.data.TFRecordDataset(sorted(glob.glob(pattern))):
        picture = tf.io.parse_single_example(record, FEATURES)
        data = picture["image/encoded"].numpy()
        shape = tf.io.decode_image(data, channels=3).shape
        assert shape[:2] == (picture["image/height"], picture["image/width"]), shape
        lines.write("{},{},{},{:08x}\n".format(
            picture["image/filename"].numpy().decode(),
            int(picture["image/class/label"]),
            picture["image/class/text"].numpy().decode(),
            zlib.crc32(data)))

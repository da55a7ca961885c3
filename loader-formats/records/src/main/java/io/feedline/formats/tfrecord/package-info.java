/**
 * TFRecord files: shards of records, most often {@code tf.train.Example}s, read in any order and
 * written.
 *
 * <p>Records of {@code tf.train.SequenceExample} are given as bytes.
 */
@NullMarked
package io.feedline.formats.tfrecord;

import org.jspecify.annotations.NullMarked;

/**
 * Reading, in any order, and writing of TFRecord files: shards of records, most often {@code
 * tf.train.Example}s.
 *
 * <p>Records of {@code tf.train.SequenceExample} are returned as bytes.
 */
@NullMarked
package io.feedline.formats.tfrecord;

import org.jspecify.annotations.NullMarked;

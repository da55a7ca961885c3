/**
 * TFRecord files: shards of records, most often {@code tf.train.Example}s, read in any order and
 * written.
 *
 * <p>The format is a row of records, each with its length and two checksums, and nothing else: made
 * to be read from front to back. A {@link io.feedline.formats.tfrecord.TfRecordDataset} scans each
 * shard once, keeps an index beside it, and then gives any record; {@link
 * io.feedline.formats.tfrecord.TfRecordFiles#stream} reads shards from front to back, compressed
 * ones too. Both give bytes; {@link io.feedline.formats.tfrecord.Example} finds the features in
 * them:
 *
 * <pre>{@code
 * TfRecordFiles files = TfRecordFiles.of(Path.of("speech/train-*"));
 * try (TfRecordDataset records = TfRecordDataset.open(files)) {
 *   Dataset<Map<String, Object>> samples =
 *       records.map(Example::parse).map(Example::toMap);
 * }
 * }</pre>
 *
 * <p>{@link io.feedline.formats.tfrecord.TfRecordImages} does that for images, which have
 * ImageNet's names unless its builder is given others, and writes such files as the format {@code
 * tfrecord}. {@link io.feedline.formats.tfrecord.TfRecordWriter} writes any records.
 *
 * <p><b>Memory.</b> An index takes 4 bytes a record, 8 where a shard has more than 4 GiB. A record
 * is an array of its own. A file's claims take no memory: a length is held against the file's size,
 * or, if that is unknown, memory grows with the bytes that are read.
 *
 * <p><b>Not read:</b> {@code tf.train.SequenceExample}; its records are given as bytes.
 */
@NullMarked
package io.feedline.formats.tfrecord;

import org.jspecify.annotations.NullMarked;

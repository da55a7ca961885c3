/**
 * TFRecord files: shards of records, most often {@code tf.train.Example}s, read in any order and
 * written.
 *
 * <p>The format is a row of records, each with its length and two checksums, and nothing else: made
 * to be read from front to back. A {@link io.feedline.formats.tfrecord.TfRecordDataset} goes
 * through each shard once, keeps an index beside it, and from then on gives any record; a {@link
 * io.feedline.formats.tfrecord.TfRecordStream} reads shards from front to back, compressed ones
 * too. Both give bytes; {@link io.feedline.formats.tfrecord.Example} finds the features in them:
 *
 * <pre>{@code
 * TfRecordFiles files = TfRecordFiles.of(Path.of("speech/train-*"));
 * try (TfRecordDataset records = TfRecordDataset.open(files)) {
 *   Dataset<Map<String, Object>> samples =
 *       records.map(Example::parse).map(Example::toMap);
 * }
 * }</pre>
 *
 * <p>{@link io.feedline.formats.tfrecord.TfRecordImages} does that for images with ImageNet's
 * {@linkplain io.feedline.formats.tfrecord.ImageFeatures names}, and {@link
 * io.feedline.formats.tfrecord.TfRecordImageWriter} packs such files. {@link
 * io.feedline.formats.tfrecord.TfRecordWriter} writes any records.
 *
 * <p><b>Memory.</b> An index takes 8 bytes a record of the page cache, and no heap unless it could
 * not be kept in a file. A record is an array of its own. What a file claims takes no memory: a
 * length is held against the file's size, or, where that is not known, memory grows with what is
 * read.
 *
 * <p><b>Threads.</b> Datasets are read by all workers at once, without a lock. A stream, a reader
 * and a writer belong to one thread at a time.
 *
 * <p><b>Not read:</b> {@code tf.train.SequenceExample}; its records are there as bytes.
 */
package io.feedline.formats.tfrecord;

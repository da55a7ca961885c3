/**
 * Datasets and their compositions.
 *
 * <h2>The nouns</h2>
 *
 * <p>A {@link io.feedline.data.Dataset} gives a sample for an index; an {@link
 * io.feedline.data.IterableDataset} opens a {@link io.feedline.data.SampleStream} for each of its
 * shards, which gives one sample after the other. Datasets are made of others by methods of {@code
 * Dataset}: transformed, filtered, split, joined, mixed, divided into {@link
 * io.feedline.data.Dataset.Fold folds}; streams by methods of {@code IterableDataset}; {@code
 * Dataset.of} and {@code ofTensors} make datasets of objects in memory. A {@link
 * io.feedline.data.CachedDataset} keeps samples in memory once they have been read.
 *
 * <p>A {@link io.feedline.data.SampleContext} goes down the chain with each sample: it knows the
 * epoch, and gives random transforms their randomness. A sample that fails becomes a {@link
 * io.feedline.data.LoaderException}; a {@link io.feedline.data.Quarantine} lists those that were
 * tolerated.
 *
 * <h2>Threads</h2>
 *
 * <p>Workers call a dataset and its transforms all at once; a stream is read by one thread at a
 * time. Where a dataset tells what it will read ({@link io.feedline.data.Dataset#readAhead}), other
 * threads of the loader call its {@link io.feedline.data.SampleReader} before a worker needs the
 * result.
 *
 * <h2>Ownership</h2>
 *
 * <p>Who opens a {@code SampleStream} closes it. A dataset that holds files open is closed by its
 * user, after the loader.
 *
 * <h2>To create your own</h2>
 *
 * <p>A dataset: implement {@code Dataset}, thread-safe, with a {@code describe} that helps to find
 * a bad sample; extend {@code DatasetContract} in its test. A stream: implement {@code
 * IterableDataset}, with positions where it can seek, and extend {@code IterableDatasetContract}; a
 * source of one's own that is only opened and read is a {@link
 * io.feedline.data.IterableDataset.StreamSource}.
 */
@NullMarked
package io.feedline.data;

import org.jspecify.annotations.NullMarked;

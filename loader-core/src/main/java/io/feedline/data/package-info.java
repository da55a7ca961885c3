/**
 * Datasets and their compositions.
 *
 * <p>A {@link io.feedline.data.Dataset} returns a sample for an index; an {@link
 * io.feedline.data.IterableDataset} opens a {@link io.feedline.data.SampleStream} for each of its
 * shards; the stream returns one sample after the other. Methods of both types make new datasets
 * from existing datasets.
 *
 * <p>A {@link io.feedline.data.SampleContext} is passed down the chain of datasets with each
 * sample: it contains the epoch, and provides the generators of random transforms. A sample that
 * fails becomes a {@link io.feedline.data.LoaderException}; a {@link io.feedline.data.Quarantine}
 * lists the failed samples that were tolerated.
 *
 * <p>Several workers call a dataset and its transforms at once; a stream is read by one thread at a
 * time. Other threads of the loader call a {@link io.feedline.data.SampleReader} that {@link
 * io.feedline.data.Dataset#readAhead} announces. The code that opens a {@code SampleStream} closes
 * it. A dataset that holds files open is closed by its user, after the loader.
 *
 * <p>To create a dataset, implement {@code Dataset}, thread-safe, with a {@code describe} that
 * helps to find a bad sample, and extend {@code DatasetContract} in its test. To create a stream,
 * implement {@code IterableDataset}, with marks where it can seek, and extend {@code
 * IterableDatasetContract}; a source that is only opened and read is a {@link
 * io.feedline.data.IterableDataset.StreamSource}.
 */
@NullMarked
package io.feedline.data;

import org.jspecify.annotations.NullMarked;

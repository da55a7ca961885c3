/**
 * WebDataset shards: tar archives in which consecutive files with one key are a sample.
 *
 * <p>{@link io.feedline.formats.webdataset.WebDataset} gives random access to the samples of
 * uncompressed shards; its builder's {@code stream()} reads shards from front to back, compressed
 * ones too. Both give {@link io.feedline.formats.webdataset.WebSample}s: a key and the bytes of
 * fields, which become text, numbers or tensors when they are asked for. {@link
 * io.feedline.formats.webdataset.ImageFields} names the fields of an image and its class; {@link
 * io.feedline.formats.webdataset.WebDatasetImages} makes a dataset of images, and writes shards of
 * images. {@link io.feedline.formats.webdataset.WebDatasetWriter} writes any samples. The datasets
 * are read by a {@link io.feedline.DataLoader}.
 *
 * <p>The rules are those of Python's webdataset (webdataset/tariterators.py): the key has the
 * directories of the name and runs to the first dot of the last name; the suffix is the rest, in
 * lower case; a suffix that comes twice in a sample is an error; what is not a regular file, and
 * names like {@code __meta__}, are passed over. Names never become paths.
 *
 * <p><b>Random access.</b> A scan reads the headers of a shard once and notes where samples begin,
 * four bytes each; that is kept in a file beside the shard, bound to its size and modification
 * time. A sample is then read by position: its headers are parsed again, which costs nothing beside
 * its data, and so the index holds no names.
 */
@NullMarked
package io.feedline.formats.webdataset;

import org.jspecify.annotations.NullMarked;

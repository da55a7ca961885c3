/**
 * WebDataset shards: tar archives in which consecutive files with one key are a sample.
 *
 * <p>The rules are those of Python's webdataset (webdataset/tariterators.py): the key has the
 * directories of the name and ends before the first dot of the last name; the suffix is the rest,
 * in lower case; a suffix that comes twice in a sample is an error; entries that are not regular
 * files, and names like {@code __meta__}, are skipped. Names are never used as paths.
 */
@NullMarked
package io.feedline.formats.webdataset;

import org.jspecify.annotations.NullMarked;

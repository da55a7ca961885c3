/**
 * WebDataset shards: tar archives in which consecutive files with one key are a sample.
 *
 * <p>The rules are those of Python's webdataset (webdataset/tariterators.py): the key has the
 * directories of the name and runs to the first dot of the last name; the suffix is the rest, in
 * lower case; a suffix that comes twice in a sample is an error; what is not a regular file, and
 * names like {@code __meta__}, are passed over. Names never become paths.
 */
@NullMarked
package io.feedline.formats.webdataset;

import org.jspecify.annotations.NullMarked;

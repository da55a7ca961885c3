/**
 * The reading of Parquet files, as images and as tables; see the package above. Stores and tables
 * are thread-safe; their opener closes the files.
 */
@NullMarked
package io.feedline.formats.parquet.internal;

import org.jspecify.annotations.NullMarked;

/**
 * The service that {@link io.feedline.data.IterableDataset#lines} finds by {@link
 * java.util.ServiceLoader}: not for users, and left out of the Javadoc. {@code PackedFileOpener} is
 * thread-safe; the code that opens a file closes it.
 *
 * <p>To read another compression, add its first bytes to {@link io.feedline.internal.FileOpener}
 * and its stream to {@code PackedFileOpener}.
 */
@NullMarked
package io.feedline.formats.text.internal;

import org.jspecify.annotations.NullMarked;

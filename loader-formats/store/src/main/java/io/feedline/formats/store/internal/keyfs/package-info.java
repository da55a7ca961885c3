/** The base of our own file systems of {@code java.nio.file}, over object stores and Hadoop. */
@NullMarked
package io.feedline.formats.store.internal.keyfs;

import org.jspecify.annotations.NullMarked;

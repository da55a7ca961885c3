/**
 * The reading of Arrow files, of images and of any columns: not for users, and left out of the
 * Javadoc. The story is that of the package above. Stores and tables are thread-safe; their opener
 * closes the files.
 */
@NullMarked
package io.feedline.formats.arrow.internal;

import org.jspecify.annotations.NullMarked;

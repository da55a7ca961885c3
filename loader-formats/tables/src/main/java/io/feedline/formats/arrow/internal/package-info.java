/**
 * The reading of Arrow files, as images and as tables; see the package above. Stores and tables are
 * thread-safe; their opener closes the files.
 */
@NullMarked
package io.feedline.formats.arrow.internal;

import org.jspecify.annotations.NullMarked;

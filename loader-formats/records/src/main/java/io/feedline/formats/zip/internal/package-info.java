/** Images in a ZIP archive: a folder of images in one file. */
@NullMarked
package io.feedline.formats.zip.internal;

import org.jspecify.annotations.NullMarked;

/** Readers and writers of images in a ZIP archive, which is a folder of images in one file. */
@NullMarked
package io.feedline.formats.zip.internal;

import org.jspecify.annotations.NullMarked;

/** Images in a ZIP archive; {@link io.feedline.formats.zip.ZipImages} says which. */
package io.feedline.formats.zip;

/**
 * The decoder of WebP by OpenCV. Users put the artifact on the class path and call nothing in it.
 * {@link java.util.ServiceLoader} finds {@link
 * io.feedline.formats.image.opencv.internal.OpenCvImages}; only {@code OpenCvDecoder} uses OpenCV,
 * and is loaded when an image needs it.
 */
@NullMarked
package io.feedline.formats.image.opencv.internal;

import org.jspecify.annotations.NullMarked;

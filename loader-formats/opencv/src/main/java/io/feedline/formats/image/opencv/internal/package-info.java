/**
 * OpenCV as a decoder of WebP. Users put the artifact on the class path and name nothing in it.
 * {@link io.feedline.formats.image.opencv.internal.OpenCvImages} is found; only {@code
 * OpenCvDecoder} uses OpenCV, and is loaded when an image needs it.
 */
@NullMarked
package io.feedline.formats.image.opencv.internal;

import org.jspecify.annotations.NullMarked;

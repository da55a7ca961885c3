/**
 * OpenCV as a decoder: WebP, and the JPEGs and TIFFs that Feedline does not decode. Users put the
 * artifact on the class path and name nothing in it.
 *
 * <p>{@link io.feedline.formats.image.opencv.internal.OpenCvImages} is found, only {@code
 * OpenCvDecoder} uses OpenCV, and is loaded when an image needs it.
 */
@NullMarked
package io.feedline.formats.image.opencv.internal;

import org.jspecify.annotations.NullMarked;

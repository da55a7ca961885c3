/**
 * Transforms that reduce the quality of an image as cameras and compression do, so that a network
 * learns from such images: {@link io.feedline.formats.image.transform.quality.JPEG} and {@link
 * io.feedline.formats.image.transform.quality.GaussianNoise}, as in torchvision's v2. They follow
 * the rules of {@link io.feedline.formats.image.transform}.
 */
@NullMarked
package io.feedline.formats.image.transform.quality;

import org.jspecify.annotations.NullMarked;

/**
 * Transforms that make an image worse as cameras and compression do, so that a network learns to
 * cope with it: {@link io.feedline.formats.image.transform.quality.JPEG} and {@link
 * io.feedline.formats.image.transform.quality.GaussianNoise}, as torchvision's v2 has them. They
 * follow the rules of {@link io.feedline.formats.image.transform}.
 */
@NullMarked
package io.feedline.formats.image.transform.quality;

import org.jspecify.annotations.NullMarked;

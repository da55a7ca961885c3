/**
 * PASCAL VOC: images with boxes or masks. A {@link io.feedline.batch.PaddingCollator} makes batches
 * of images with different numbers of boxes.
 */
@NullMarked
package io.feedline.formats.voc;

import org.jspecify.annotations.NullMarked;

/**
 * PASCAL VOC: images with boxes or masks. For batches of images with different numbers of boxes
 * take a {@link io.feedline.batch.PaddingCollator}.
 */
@NullMarked
package io.feedline.formats.voc;

import org.jspecify.annotations.NullMarked;

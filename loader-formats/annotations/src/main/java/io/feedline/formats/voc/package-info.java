/**
 * PASCAL VOC: images with boxes or masks.
 *
 * <p>{@link io.feedline.formats.voc.VocDataset} is a dataset of records, for {@link
 * io.feedline.formats.image.JointTransform}; for batches of images with different numbers of boxes
 * take a {@link io.feedline.batch.PaddingCollator}. {@code VocAnnotation} parses an annotation with
 * the JDK's StAX, which resolves nothing.
 *
 * <p><b>Memory and files.</b> The names of the images are in memory. Nothing stays open.
 *
 * <p><b>Threads.</b> Datasets are thread-safe.
 */
@NullMarked
package io.feedline.formats.voc;

import org.jspecify.annotations.NullMarked;

/**
 * COCO: images with boxes, masks, key points or sentences, described in one file of JSON.
 *
 * <p>{@link io.feedline.formats.coco.CocoDataset} is a dataset of records, for {@link
 * io.feedline.formats.image.JointTransform} and a {@link io.feedline.DataLoader}. {@code CocoFile}
 * reads the annotations once, from front to back, into arrays; {@code AnnotationBytes} packs values
 * of varying length. {@code Rle} makes masks by the arithmetic of COCO's own maskApi.c.
 *
 * <p><b>Memory and files.</b> The annotations are in memory, 0.4 times the bytes that they have as
 * JSON. Nothing stays open.
 *
 * <p><b>Threads.</b> Datasets are thread-safe.
 */
@NullMarked
package io.feedline.formats.coco;

import org.jspecify.annotations.NullMarked;

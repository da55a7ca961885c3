/**
 * RecordIO files, which MXNet and GluonCV keep images in: read in any order, and written.
 *
 * <p>A {@link io.feedline.formats.recordio.RecordIoDataset} gives the records of a {@code .rec} as
 * they are, by the {@code .idx} beside it or by a scan; {@link
 * io.feedline.formats.recordio.RecordIoImages} reads them as images with labels, {@link
 * io.feedline.formats.recordio.RecordIoDataset.ImageRecord} is one such record in its parts. {@code
 * RecordIoImages.create} packs images, {@link io.feedline.formats.recordio.RecordIoDataset#writer}
 * writes any records.
 */
@NullMarked
package io.feedline.formats.recordio;

import org.jspecify.annotations.NullMarked;

/**
 * Videos, and clips of their frames for a {@link io.feedline.DataLoader}.
 *
 * <p>A clip contains no pixels. The worker that writes a clip decodes it, and writes each frame
 * straight into its place in the row. Decoders stay open between clips, some for a dataset, each
 * with its reference frames and one frame of 4 bytes a pixel in native memory; {@code close()}
 * frees them.
 */
@NullMarked
package io.feedline.formats.media.video;

import org.jspecify.annotations.NullMarked;

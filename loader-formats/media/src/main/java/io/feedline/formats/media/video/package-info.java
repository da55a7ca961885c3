/**
 * Videos, and clips of their frames for a {@link io.feedline.DataLoader}.
 *
 * <p>A clip contains no pixels. The worker that writes a clip decodes it, and writes each frame
 * straight into its place in the row. A dataset keeps some decoders open between clips. A decoder
 * has its reference frames and one frame of 4 bytes a pixel in native memory until it is closed.
 */
@NullMarked
package io.feedline.formats.media.video;

import org.jspecify.annotations.NullMarked;

/**
 * Videos, and clips of their frames for a {@link io.feedline.DataLoader}.
 *
 * <pre>
 * VideoDataset: index -&gt; VideoFile (frame index) --ClipSampler--&gt; Clip: which frames, one recipe for all
 *   --EachFrame--&gt; the recipe changed, by one draw --writeTo--&gt; decoder -&gt; swscale -&gt; fused writer -&gt; row
 * </pre>
 *
 * <p>A clip holds no pixels. When the loader has it write itself, a decoder goes from frame to
 * frame, and the recipe writes each straight into its place in the row.
 *
 * <p><b>Threads and memory.</b> A clip is decoded on the worker that writes it. Decoders stay open
 * between clips, some for a dataset, each with its reference frames and one frame of 4 bytes a
 * pixel in native memory; {@code close()} frees them.
 */
@NullMarked
package io.feedline.formats.media.video;

import org.jspecify.annotations.NullMarked;

/**
 * Video and sound, decoded by FFmpeg's libraries (bytedeco), read through Feedline's own reads.
 *
 * <pre>
 * any Path (OpenFile) -&gt; internal.MediaInput: demuxer, packets -&gt; internal.StreamDecoder: frames
 *   -&gt; video: swscale -&gt; recipe of the image -&gt; row of the batch
 *   -&gt; sound: samples -&gt; row of the batch
 * </pre>
 *
 * <p><b>Safety.</b> FFmpeg opens nothing itself: it gets the bytes of the one file that the caller
 * named, from callbacks. Containers are those of a list; playlists ({@code hls}, {@code concat})
 * are not among them, and every protocol is off. The size of frames and the number of streams are
 * limited.
 *
 * <p><b>Threads.</b> A decoder runs on the thread that calls it and starts no other: workers of the
 * loader decode side by side.
 *
 * <p><b>Memory.</b> Decoders hold native memory, which is freed when they are closed, never by the
 * garbage collector alone.
 */
@NullMarked
package io.feedline.formats.media;

import org.jspecify.annotations.NullMarked;

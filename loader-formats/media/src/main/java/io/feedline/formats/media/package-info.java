/**
 * Video and sound, decoded by FFmpeg's libraries (bytedeco), read through Feedline's own reads.
 *
 * <p><b>Safety.</b> FFmpeg opens nothing itself: it gets the bytes of the one file that the caller
 * named, from callbacks. Only containers of a list are read, without playlists, and every protocol
 * is disabled. The size of frames and the number of streams are limited.
 *
 * <p><b>Threads and memory.</b> A decoder runs on the thread that calls it and starts no other.
 * Decoders hold native memory, which is freed when they are closed, never by the garbage collector
 * alone.
 */
@NullMarked
package io.feedline.formats.media;

import org.jspecify.annotations.NullMarked;

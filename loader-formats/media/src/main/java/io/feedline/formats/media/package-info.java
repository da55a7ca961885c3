/**
 * Video and sound, decoded by FFmpeg's libraries (bytedeco). Feedline reads the files and passes
 * the bytes to FFmpeg.
 *
 * <p><b>Safety.</b> FFmpeg opens no file and no connection: callbacks give it the bytes of the one
 * file that the caller named. Only the containers of a fixed list are read. The list has no
 * playlists, and every protocol is disabled. Frame sizes and stream counts are limited.
 *
 * <p><b>Threads and memory.</b> A decoder runs on the thread that calls it and starts no other.
 * Decoders hold native memory, which is freed when they are closed, not by the garbage collector.
 */
@NullMarked
package io.feedline.formats.media;

import org.jspecify.annotations.NullMarked;

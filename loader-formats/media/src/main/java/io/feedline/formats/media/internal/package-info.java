/**
 * FFmpeg, as the classes of video and sound use it: the only package that calls its demuxers and
 * decoders. {@link io.feedline.formats.media.internal.MediaInput} opens a file and describes its
 * streams, {@link io.feedline.formats.media.internal.StreamDecoder} decodes the frames of one
 * stream; neither knows whether these are images or sound.
 *
 * <p>Each native object has one Java owner, which frees it in {@code close()}. JavaCPP's own
 * deallocators are not relied on: memory that waits for the garbage collector grows.
 */
@NullMarked
package io.feedline.formats.media.internal;

import org.jspecify.annotations.NullMarked;

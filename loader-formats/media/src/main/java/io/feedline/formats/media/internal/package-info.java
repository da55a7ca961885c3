/**
 * FFmpeg for the classes of video and sound: the only package that calls FFmpeg's demuxers and
 * decoders. Each native object has one Java owner, which frees it in {@code close()}; JavaCPP's own
 * deallocators are not relied on.
 */
@NullMarked
package io.feedline.formats.media.internal;

import org.jspecify.annotations.NullMarked;

/**
 * The calls of FFmpeg's demuxers and decoders, for the packages of video and sound. Each native
 * object has one Java owner, which frees the object in {@code close()}, without JavaCPP's
 * deallocators.
 */
@NullMarked
package io.feedline.formats.media.internal;

import org.jspecify.annotations.NullMarked;

/**
 * The calls of FFmpeg's demuxers and decoders, for the packages of video and sound. Each native
 * object has one Java owner, whose {@code close()} frees it; JavaCPP's deallocators do not.
 */
@NullMarked
package io.feedline.formats.media.internal;

import org.jspecify.annotations.NullMarked;

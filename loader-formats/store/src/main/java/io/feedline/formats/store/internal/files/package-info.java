/**
 * Files of any file system that any number of threads read by position.
 *
 * <p>All reads of formats go through {@link io.feedline.formats.store.internal.files.OpenFiles},
 * with a bounded number of descriptors. No reader opens a channel by itself, so files of other file
 * system providers are read too, by a {@link
 * io.feedline.formats.store.internal.files.PositionalChannel}; {@link
 * io.feedline.formats.store.internal.files.LocalFiles} refuses them where a library needs a local
 * file. {@link io.feedline.formats.store.internal.files.OpenFile} is one file; {@link
 * io.feedline.formats.store.internal.files.OpenFileStream} reads it from front to back, through
 * {@link io.feedline.formats.store.internal.files.PiecesAhead} if it is remote; {@link
 * io.feedline.formats.store.internal.files.OpenFileChannel} serves libraries that want a channel.
 *
 * <p>{@link io.feedline.formats.store.internal.files.WholeFile} writes a file that appears whole or
 * not at all. Each change of the disk passes {@link
 * io.feedline.formats.store.internal.files.CrashPoints}, where tests inspect what a process that
 * ends there would leave.
 *
 * <p><b>Reading ahead</b> happens in two places, because they know different things: the loader
 * knows which samples come next, in any order; {@code PiecesAhead} knows that a file which is read
 * from front to back will be read further.
 */
@NullMarked
package io.feedline.formats.store.internal.files;

import org.jspecify.annotations.NullMarked;

/**
 * What the formats that keep many samples in few files share: files that many workers read at once,
 * and small files that are replaced whole or not at all.
 *
 * <p>{@link io.feedline.formats.file.OpenFiles} reads by position, without a lock and without a
 * mapping: a mapped file that is cut short under its reader takes the JVM's memory access down with
 * it, and a thousand mapped shards are freed when the garbage collector gets to them; a read that
 * finds too little is an ordinary error. {@link io.feedline.formats.file.GrowingFile} is what a
 * sink writes records into; {@link io.feedline.formats.file.WholeFile} writes indexes, and {@link
 * io.feedline.formats.file.ClassList} keeps the names of classes beside a format that has no place
 * for them.
 *
 * <p>These are building blocks of the formats' own packages; who only reads data needs none of
 * them.
 */
package io.feedline.formats.file;

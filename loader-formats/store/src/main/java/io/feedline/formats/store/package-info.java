/**
 * One interface for everything that contains encoded images: folders, databases, shards, archives.
 *
 * <h2>The nouns</h2>
 *
 * <p>An {@link io.feedline.formats.store.ImageStore} returns {@link
 * io.feedline.formats.store.EncodedImage}s by index: the bytes, a key, a label. Nothing is decoded
 * here; {@code ImageDataset} makes a dataset of a store. A {@link
 * io.feedline.formats.store.StoreWriter} takes encoded images one after the other; a {@link
 * io.feedline.formats.store.Packing} sets the number of files, the classes and the options. A
 * {@link io.feedline.formats.store.StoreFormat} has a name, recognizes paths, opens stores and
 * creates them:
 *
 * <pre>{@code
 * StoreFormat zip = StoreFormat.named("zip");
 * try (ImageStore from = StoreFormat.of(source).open(source, StoreOptions.NONE);
 *     StoreWriter<EncodedImage> to = zip.create(target, Packing.of(from.classes(), from.size()))) {
 *   for (long i = to.written(); i < from.size(); i++) {
 *     to.write(from.read(i));
 *   }
 *   to.commit();
 * }
 * }</pre>
 *
 * <p>Data that does not follow its format causes a {@link io.feedline.data.FormatException}, with
 * file, record and offset as far as they are known.
 *
 * <h2>File systems</h2>
 *
 * <p>A store is read from a path of any file system provider, as long as its file system is open;
 * threads take turns to read a file whose provider gives no {@link java.nio.channels.FileChannel}.
 * Reading writes nothing to other file systems. Writers take paths of the default file system; some
 * writers also take paths in a bucket of S3. LMDB maps its file, so it reads and writes in the
 * default file system only.
 */
@NullMarked
package io.feedline.formats.store;

import org.jspecify.annotations.NullMarked;

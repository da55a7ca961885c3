/**
 * One interface for everything that holds encoded images: folders, databases, shards, archives.
 *
 * <h2>The nouns</h2>
 *
 * <p>An {@link io.feedline.formats.store.ImageStore} gives {@link
 * io.feedline.formats.store.EncodedImage}s by index: the bytes, a key, a label. Nothing is decoded
 * here; {@code ImageDataset} makes a dataset of a store. An {@link
 * io.feedline.formats.store.ImageStoreWriter} takes encoded images one after the other; a {@link
 * io.feedline.formats.store.Packing} sets the number of files, the classes and the options. A
 * {@link io.feedline.formats.store.StoreFormat} has a name, recognizes paths, opens stores and
 * creates them:
 *
 * <pre>{@code
 * StoreFormat zip = StoreFormat.named("zip");
 * try (ImageStore from = StoreFormat.of(source).open(source, StoreOptions.NONE);
 *     ImageStoreWriter to = zip.create(target, Packing.of(from.classes(), from.size()))) {
 *   for (long i = to.written(); i < from.size(); i++) {
 *     to.write(from.read(i));
 *   }
 *   to.commit();
 * }
 * }</pre>
 *
 * <p>{@link io.feedline.formats.store.StoreWriter} is the shape of all writers, including writers
 * of tensors and other records.
 *
 * <p>Data that do not follow their format are a {@link io.feedline.data.FormatException}, with
 * file, record and offset as far as they are known.
 *
 * <h2>Many tasks</h2>
 *
 * <p>A store of shards can also be written by many tasks at once, on one machine or on many, by
 * mds, webdataset and tfrecord. A {@link io.feedline.formats.store.PackingJob} is what the driver
 * does: begin, commit, abort, sweep. A {@link io.feedline.formats.store.PackingJob.TaskWriter}
 * writes for one attempt of one task; it takes what {@link
 * io.feedline.formats.store.PackingJob.FieldType fields} samples have beside their images, and
 * gives {@link io.feedline.formats.store.PackingJob.PackedShard}s, which the driver puts into the
 * store's index. The writing of the index is the commit. A format takes part by its {@link
 * io.feedline.formats.store.PackingJob.TaskFormat}.
 *
 * <p>A store with such an index opens without a look at its shards: each is compared with the index
 * when it is first read. {@link io.feedline.formats.store.ImageStore#checkStructure} compares all
 * of them, with their hashes. A reader that deals shards out to several machines lists them by
 * {@link io.feedline.formats.store.StoreFormat#shards}, and opens each alone, by {@link
 * io.feedline.formats.store.StoreFormat#openShard}.
 *
 * <h2>File systems</h2>
 *
 * <p>A store is read from a path of any file system provider, as long as its file system is open;
 * threads take turns to read a file whose provider gives no {@link java.nio.channels.FileChannel}.
 * Reading writes nothing there. Writers take paths of the default file system, some also those of a
 * bucket of S3. LMDB maps its file, so it reads and writes in the default file system only.
 *
 * <h2>To add a format to Feedline</h2>
 *
 * <p>A format outside Feedline needs public types only: copy {@code com.example.pack} of the
 * examples. One of Feedline's own has
 *
 * <ol>
 *   <li>A package beside the others, {@code io.feedline.formats.NAME}, with a class that extends
 *       {@code FormatEntry}, and that users do not see: it is package-private, and its nested
 *       public class {@code Provider} is what {@code ServiceLoader} creates.
 *   <li>The name of that provider, {@code io.feedline.formats.zip.ZipFormat$Provider}, as a line in
 *       {@code META-INF/services/io.feedline.formats.store.StoreFormat}.
 *   <li>An {@code ImageStore}: where the bytes of image i are. All reads go through {@code
 *       OpenFiles} of {@code store.internal}.
 *   <li>A writer over {@code StagedWriter}: how an image is stored, and what comes last. Or {@code
 *       isWritable()} is false.
 *   <li>A fixture with the script of another program that made it, and a test of what only this
 *       format does. {@code EveryStoreTest} and {@code EveryStoreWriterTest} find the format by
 *       themselves, as do the command line and {@code ImageDataset.open}.
 * </ol>
 *
 * <p>{@code io.feedline.formats.zip} is the smallest one.
 */
@NullMarked
package io.feedline.formats.store;

import org.jspecify.annotations.NullMarked;

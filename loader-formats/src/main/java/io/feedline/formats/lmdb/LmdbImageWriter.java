package io.feedline.formats.lmdb;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageStoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Packs images into an LMDB database, which {@link LmdbImages} reads: encoded as they are, with
 * their labels and keys.
 *
 * <pre>{@code
 * ImageFolder folder = ImageFolder.of(Path.of("train"));
 * try (LmdbImageWriter writer =
 *     LmdbImageWriter.open(Path.of("train.lmdb"), folder.classes())) {
 *   for (long i = writer.written(); i < folder.size(); i++) {
 *     writer.write(folder.encoded(i));
 *   }
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p>The database is built as {@code train.lmdb.partial} and gets its name when it is whole; its
 * map grows by itself. Images are on the disk after each batch of at most 1024 images or 32
 * MiB; an interrupted run goes on behind the last of these. When the disk is full, what was
 * committed can be continued.
 *
 * <p>Not thread-safe; one writer at a time, of all processes. Needs {@code org.lmdbjava:lmdbjava}.
 */
public final class LmdbImageWriter implements ImageStoreWriter {

  private final UnfinishedDatabase database;
  private final ByteSink value = new ByteSink();

  private LmdbImageWriter(UnfinishedDatabase database) {
    this.database = database;
  }

  /**
   * Begins a database, or goes on with one that was interrupted.
   *
   * @param path the directory that the database becomes; must not exist
   * @param classes the names of the classes, by label; may be empty
   * @throws java.nio.file.FileAlreadyExistsException if the database exists
   * @throws IOException if it cannot be written, another process writes it, or the interrupted one
   *     has other classes
   * @throws IllegalStateException if lmdbjava is absent
   */
  public static LmdbImageWriter open(Path path, List<String> classes) throws IOException {
    Libraries.requireLmdb();
    Metadata plan = new Metadata(Metadata.Kind.PICTURES, 0, classes, List.of());
    UnfinishedDatabase database = UnfinishedDatabase.open(path, plan);
    if (!database.plan().classes().equals(plan.classes())) {
      List<String> found = database.plan().classes();
      database.close();
      throw new IOException(
          "%s was begun with the classes %s, not %s; delete it to begin anew"
              .formatted(UnfinishedDatabase.partial(path), found, classes));
    }
    return new LmdbImageWriter(database);
  }

  @Override
  public long written() {
    return database.written();
  }

  @Override
  public void write(EncodedImage image) throws IOException {
    Objects.requireNonNull(image, "image");
    value.clear();
    try {
      FeedlineLayout.put(image, value);
      database.add(value.written());
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("image '%s': %s".formatted(image.key(), e.getMessage()), e);
    }
  }

  @Override
  public void commit() throws IOException {
    database.commit();
  }

  @Override
  public void close() throws IOException {
    database.close();
  }
}

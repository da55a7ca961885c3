package io.feedline.formats.store;

import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob.TaskFormat;
import io.feedline.internal.MissingPaths;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A format of stores of images, which recognizes, opens and writes such stores.
 *
 * <p>Formats are found by {@link ServiceLoader}: a new format is a public class that implements
 * this interface and has a public constructor without parameters, and a line with the name of the
 * class in {@code META-INF/services/io.feedline.formats.store.StoreFormat}; see {@code
 * com.example.pack} in the examples. The command line, {@code ImageDataset.open}, the benchmarks
 * and the contract tests then find the format.
 *
 * <p>Implementations have no state and are thread-safe.
 */
public interface StoreFormat {

  /**
   * Returns the name on the command line, of lower-case letters and digits, such as {@code lmdb}.
   */
  String name();

  /**
   * Returns whether a path is of this format, by its name and a few of its bytes. A path that does
   * not exist is of no format, unless it is a pattern for several files.
   *
   * @throws IOException if the path cannot be read
   */
  boolean recognizes(Path path) throws IOException;

  /** Returns whether any other format that recognizes a path has precedence over this format. */
  default boolean isFallback() {
    return false;
  }

  /** Returns the names of the options that {@link #open} takes. */
  default Set<String> openOptions() {
    return Set.of();
  }

  /**
   * Opens a store, which the caller closes.
   *
   * @param path the path of the store, in any file system that the format's library can read: a
   *     directory with the format's files, or one of the files
   * @param options options whose names are in {@link #openOptions}
   * @throws IllegalArgumentException if an option is unknown or has an impossible value
   * @throws IllegalStateException if the format's library does not load; the message names it
   * @throws IOException if the store cannot be read, or is not of this format
   */
  ImageStore open(Path path, StoreOptions options) throws IOException;

  /**
   * Lists the shards of a store without reading a shard or counting its samples, for a reader that
   * distributes shards over several machines: each machine opens its shards by {@link #openShard}.
   *
   * @param path the path for {@link #open}
   * @param options the options for {@link #open}
   * @return a text for each shard, in the order of the store; empty if the format has no shards
   *     that can be opened alone
   * @throws IllegalArgumentException if an option is unknown or has an impossible value
   * @throws IOException if the shards cannot be listed
   */
  default List<String> shards(Path path, StoreOptions options) throws IOException {
    return List.of();
  }

  /**
   * Opens one shard of a store as a store of its own, which the caller closes. Labels are the whole
   * store's labels, but names of classes may be absent if only the store's index has them. Reads
   * neither the index nor another shard.
   *
   * @param path the path that {@link #shards} was called with
   * @param shard a text that {@link #shards} returned
   * @param options the options that {@link #shards} was called with
   * @throws IllegalArgumentException if the text does not describe a shard of this format, or an
   *     option is unknown or has an impossible value
   * @throws UnsupportedOperationException if the format has no shards that can be opened alone
   * @throws IOException if the shard cannot be read, or differs from the index
   */
  default ImageStore openShard(Path path, String shard, StoreOptions options) throws IOException {
    throw new UnsupportedOperationException(name() + " has no shards that can be opened alone");
  }

  /** Returns the names of the options that {@link #create} takes in {@link Packing#options}. */
  default Set<String> createOptions() {
    return Set.of();
  }

  /**
   * Returns whether stores of this format can be written. By default true; a format that does not
   * override {@link #create} must return false.
   */
  default boolean isWritable() {
    return true;
  }

  /**
   * Begins a store, or continues an interrupted store; see {@link StoreWriter}. The caller closes
   * the writer. By default throws the exception for a format that can only be read.
   *
   * @param path the store's path, in the default file system, or for some formats in a bucket of
   *     S3; must be absent, or an empty directory
   * @param packing the classes and options of the store
   * @throws java.nio.file.FileAlreadyExistsException if the path is neither absent nor empty
   * @throws IllegalArgumentException if an option is unknown or has an impossible value
   * @throws IllegalStateException if the format's library does not load; the message names it
   * @throws UnsupportedOperationException if the format is only read
   * @throws IOException if the store cannot be written, another writer writes it, or the
   *     interrupted run had another packing
   */
  default StoreWriter<EncodedImage> create(Path path, Packing packing) throws IOException {
    throw new UnsupportedOperationException(
        "%s cannot be written: %s is only read here; take webdataset, mds, tfrecord, recordio, lmdb, zip or imagefolder"
            .formatted(path, name()));
  }

  /**
   * Returns this format's implementation of {@link PackingJob}; empty if tasks cannot write the
   * format.
   */
  default Optional<TaskFormat> tasks() {
    return Optional.empty();
  }

  /** Returns whether stores of this format can be written by the tasks of a {@link PackingJob}. */
  default boolean isWritableByTasks() {
    return tasks().isPresent();
  }

  /** Returns all formats, in an order that does not depend on the class path. */
  static List<StoreFormat> all() {
    return ServiceLoader.load(StoreFormat.class, StoreFormat.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .sorted(ModuleFormat.ORDER)
        .toList();
  }

  /**
   * Returns the format that has a name.
   *
   * @throws IllegalArgumentException if no such format is on the class path; the message names the
   *     artifact to add, or lists the available formats
   */
  static StoreFormat named(String name) {
    List<StoreFormat> present = all();
    for (StoreFormat format : present) {
      if (format.name().equals(name)) {
        return format;
      }
    }
    Optional<ModuleFormat> absent = ModuleFormat.absentNamed(name, present);
    if (absent.isPresent()) {
      throw new IllegalArgumentException(
          "the format '%s' is not on the class path: add %s"
              .formatted(name, absent.get().artifact()));
    }
    throw new IllegalArgumentException(
        "there is no format '%s'; known are %s; written are %s"
            .formatted(
                name,
                names(),
                present.stream()
                    .filter(StoreFormat::isWritable)
                    .map(StoreFormat::name)
                    .collect(Collectors.joining(", "))));
  }

  /**
   * Returns the format of the store at a path.
   *
   * @throws NoSuchFileException if the path does not exist
   * @throws AccessDeniedException if the path may not be read
   * @throws IOException if the path is of no known format, or could be of several; if its format is
   *     not on the class path, the message names the artifact to add
   */
  static StoreFormat of(Path path) throws IOException {
    List<StoreFormat> present = all();
    List<StoreFormat> found = new ArrayList<>();
    AccessDeniedException refusal = null;
    for (StoreFormat format : present) {
      try {
        if (format.recognizes(path)) {
          found.add(format);
        }
      } catch (AccessDeniedException refused) {
        // A server may refuse to list a directory, but allow reading the index in it.
        refusal = refused;
      }
    }
    if (refusal != null && found.isEmpty()) {
      throw refusal;
    }
    if (found.size() > 1) {
      found.removeIf(StoreFormat::isFallback);
    }
    if (found.stream().allMatch(StoreFormat::isFallback)) {
      Optional<ModuleFormat> absent = ModuleFormat.absentAt(path, present);
      if (absent.isPresent()) {
        throw FormatException.in(
            path, "this is %s: add %s".formatted(absent.get().words(), absent.get().artifact()));
      }
    }
    boolean emptyFile = isEmptyFile(path);
    if (found.size() == 1 && !emptyFile) {
      return found.get(0);
    }
    if (found.size() > 1) {
      throw FormatException.in(
          path,
          "this could be one of "
              + found.stream().map(StoreFormat::name).collect(Collectors.joining(", "))
              + "; give one file, or name the format");
    }
    if (!Presence.exists(path)) {
      throw MissingPaths.at(path);
    }
    if (emptyFile || isEmptyDirectory(path)) {
      throw FormatException.in(
          path, "this %s is empty".formatted(emptyFile ? "file" : "directory"));
    }
    throw FormatException.in(
        path,
        "this is none of the formats that are known: "
            + names()
            + ". A folder of images has a directory for each class; what is of a format and was not"
            + " recognized is opened by the format's own class, or with its name (--from)");
  }

  private static boolean isEmptyFile(Path path) {
    try {
      BasicFileAttributes file = Files.readAttributes(path, BasicFileAttributes.class);
      return file.isRegularFile() && file.size() == 0;
    } catch (IOException patternOrMissing) {
      return false;
    }
  }

  private static boolean isEmptyDirectory(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return false;
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries.findAny().isEmpty();
    }
  }

  private static String names() {
    return all().stream().map(StoreFormat::name).collect(Collectors.joining(", "));
  }
}

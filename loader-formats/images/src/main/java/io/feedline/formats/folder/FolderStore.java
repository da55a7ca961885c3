package io.feedline.formats.folder;

import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Digest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** A store of image files, one image a file. Immutable, thread-safe, keeps no file open. */
final class FolderStore implements ImageStore {

  private static final byte[] NO_BYTES = {};

  private final String kind;
  private final Path path;
  private final Path root;
  private final List<String> classes;
  private final Map<String, Integer> classToIndex;
  private final FileList list;
  private final OpenFiles files = new OpenFiles(1);

  /**
   * Makes a store of the files of a list.
   *
   * @param path the root, or the file that lists the images; errors name it
   * @param classToIndex the label of each class name; empty if labels have no names
   */
  FolderStore(String kind, Path path, Path root, Map<String, Integer> classToIndex, FileList list) {
    this.kind = kind;
    this.path = path;
    this.root = root;
    this.classes = List.copyOf(classToIndex.keySet());
    this.classToIndex = Collections.unmodifiableMap(classToIndex);
    this.list = list;
  }

  @Override
  public long size() {
    return list.size();
  }

  /** Reads a file. The key is the path below the root, with slashes, without the extension. */
  @Override
  public EncodedImage read(long index) throws IOException {
    Path path = path(index);
    return EncodedImage.ofFile(
        list.path((int) index), files.readAll(path, Integer.MAX_VALUE - 64), label(index));
  }

  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    Path path = path(index);
    long size = files.size(path);
    return size > Integer.MAX_VALUE
        ? Optional.empty()
        : Optional.of(new FileImage(files, new FileRange(path, 0, size), label(index)));
  }

  @Override
  public int label(long index) {
    return list.label((int) Objects.checkIndex(index, size()));
  }

  @Override
  public String key(long index) {
    String file = list.path((int) Objects.checkIndex(index, size()));
    return EncodedImage.ofFile(file, NO_BYTES, EncodedImage.NO_LABEL).key();
  }

  @Override
  public List<FileRange> parts(long index) {
    return List.of(new FileRange(path(index), 0, Long.MAX_VALUE));
  }

  @Override
  public List<String> classes() {
    return classes;
  }

  @Override
  public Map<String, Integer> classToIndex() {
    return classToIndex;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path path(long index) {
    return root.resolve(list.path((int) Objects.checkIndex(index, size())));
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : path(index).toString();
  }

  @Override
  public String name() {
    return kind + "(" + path + ")";
  }

  /** Returns a checksum of the labels and of the paths relative to the root. */
  @Override
  public String fingerprint() {
    String digest =
        Digest.ofLines(IntStream.range(0, list.size()).mapToObj(i -> list.label(i) + list.path(i)));
    return kind + ":" + classToIndex.size() + ":" + list.size() + ":" + digest;
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}

package io.feedline.formats.hdf5;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.internal.Counts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

final class Hdf5Store implements ImageStore {

  private final JhdfFile file;
  private final Images images;
  private final ClassList classes;
  private volatile String fingerprint;

  private Hdf5Store(JhdfFile file, Images images, List<String> classes) {
    this.file = file;
    this.images = images;
    this.classes = new ClassList(classes, 0);
  }

  private sealed interface Images {
    long size();

    String key(long index);

    byte[] bytes(long index) throws IOException;

    String fields();

    long label(long index) throws IOException;

    String describe(long index);
  }

  static Hdf5Store ofColumns(
      JhdfFile file, String images, @Nullable String labels, List<String> classes)
      throws IOException {
    StoredBytes bytes = bytes(file, images);
    StoredArray numbers = labels == null ? null : file.array(labels).asInt64();
    if (numbers != null && numbers.length() != bytes.length()) {
      throw new FormatException(
          "%s has %s, but %s has %s"
              .formatted(
                  bytes.path(),
                  Counts.of(bytes.length(), "image"),
                  numbers.path(),
                  Counts.of(numbers.length(), "label")));
    }
    return new Hdf5Store(file, new Columns(bytes, numbers, images + ":" + labels), classes);
  }

  private static StoredBytes bytes(JhdfFile file, String images) throws IOException {
    try {
      return file.bytes(images);
    } catch (FormatException none) {
      throw new FormatException(
          none.getMessage()
              + ". imageField(...), image-field, names the array of the encoded images; decoded pixels and arrays of other numbers are read by Hdf5Dataset",
          none);
    }
  }

  static Hdf5Store ofGroups(
      JhdfFile file, String parent, String image, @Nullable String label, List<String> classes)
      throws IOException {
    List<JhdfFile.Sample> groups = file.samples(parent);
    return new Hdf5Store(file, new Groups(file, parent, groups, image, label), classes);
  }

  private static byte[] row(StoredArray array, long row) throws IOException {
    byte[] bytes = new byte[Math.toIntExact(array.shape().elements() * array.dtype().bytes())];
    array.write(row, ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()));
    return bytes;
  }

  private static long label(StoredArray array, long row) throws IOException {
    if (array.shape().elements() != 1) {
      throw new FormatException(
          "%s has labels of shape %s; one number is expected"
              .formatted(array.path(), array.shape()));
    }
    return ByteBuffer.wrap(row(array, row)).order(ByteOrder.nativeOrder()).getLong();
  }

  private record Columns(StoredBytes images, StoredArray labels, String fields) implements Images {
    @Override
    public long size() {
      return images.length();
    }

    @Override
    public String key(long index) {
      return Long.toString(index);
    }

    @Override
    public byte[] bytes(long index) throws IOException {
      return images.get(index);
    }

    @Override
    public long label(long index) throws IOException {
      return labels == null ? EncodedImage.NO_LABEL : Hdf5Store.label(labels, index);
    }

    @Override
    public String describe(long index) {
      return images.path() + "[" + index + "]";
    }
  }

  private record Groups(
      JhdfFile file, String parent, List<JhdfFile.Sample> groups, String image, String label)
      implements Images {
    @Override
    public long size() {
      return groups.size();
    }

    @Override
    public String key(long index) {
      return groups.get((int) index).name();
    }

    @Override
    public byte[] bytes(long index) throws IOException {
      StoredArray array = file.array(groups.get((int) index), image);
      if (array.shape().rank() != 1 || array.type().bytes() != 1) {
        throw new FormatException(
            "%s has %s of shape %s; encoded images are bytes along one axis"
                .formatted(array.path(), array.dtype(), array.shape()));
      }
      return row(array, 0);
    }

    @Override
    public long label(long index) throws IOException {
      return label == null
          ? EncodedImage.NO_LABEL
          : Hdf5Store.label(file.array(groups.get((int) index), label).asInt64(), 0);
    }

    @Override
    public String fields() {
      return parent + ":" + image + ":" + label;
    }

    @Override
    public String describe(long index) {
      return "%s, group %s".formatted(file.path(), key(index));
    }
  }

  @Override
  public long size() {
    return images.size();
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    int label = label(index);
    return new EncodedImage(images.key(index), images.bytes(index), label);
  }

  @Override
  public String key(long index) {
    return images.key(Objects.checkIndex(index, size()));
  }

  @Override
  public int label(long index) throws IOException {
    long label = images.label(Objects.checkIndex(index, size()));
    try {
      return classes.index(label);
    } catch (FormatException noClass) {
      throw noClass.at(describe(index));
    }
  }

  @Override
  public List<String> classes() {
    return classes.names();
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : images.describe(index);
  }

  @Override
  public String name() {
    return "Hdf5Dataset.images(" + file.path() + ")";
  }

  @Override
  public String fingerprint() {
    if (fingerprint == null) {
      try {
        fingerprint =
            "Hdf5Dataset.images:" + size() + ":" + file.fingerprint() + ":" + images.fields();
      } catch (IOException e) {
        throw new UncheckedIOException(name() + " cannot be read", e);
      }
    }
    return fingerprint;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

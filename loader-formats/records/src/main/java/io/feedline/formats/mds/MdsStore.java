package io.feedline.formats.mds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.samples.DatasetStore;
import io.feedline.formats.store.internal.samples.NumberedKeys;
import io.feedline.formats.store.internal.shards.ShardIdentity;
import io.feedline.formats.store.internal.shards.ShardedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

final class MdsStore extends DatasetStore<MdsDataset> implements ShardedStore {

  private final Path directory;
  private final Columns columns;
  private final ClassList classes;

  /** The names of the columns by their use; null for an absent column. */
  record Columns(
      String image,
      @Nullable String label,
      @Nullable MdsEncoding labelEncoding,
      @Nullable String key) {

    private static final List<String> LABELS = List.of("label", "class", "cls", "y");

    /** Chooses columns by the given names; if a name is null, searches for the column. */
    static Columns of(
        Path directory,
        Map<String, String> columns,
        @Nullable String image,
        @Nullable String label,
        @Nullable String key)
        throws FormatException {
      if (columns.isEmpty()) {
        // Without a shard the columns are unknown, and no sample needs them.
        return new Columns("image", null, null, null);
      }
      Search search = new Search(directory, columns);
      String images =
          search.find(image, imageOf(columns), "jpeg|jpeg:.*|png|bytes", "images; imageField(...)");
      String labels = null;
      if (!"".equals(label)) {
        String usual = LABELS.stream().filter(columns::containsKey).findFirst().orElse("label");
        labels = search.find(label, usual, "int|u?int[0-9]+|str_int", "classes; labelField(...)");
      }
      String keys = null;
      if (key != null || "str".equals(columns.get("key"))) {
        keys = search.find(key, "key", "str", "keys; keyField(...)");
      }
      return new Columns(
          images, labels, labels == null ? null : MdsEncoding.of(columns.get(labels)), keys);
    }

    private static String imageOf(Map<String, String> columns) {
      List<String> images =
          columns.keySet().stream()
              .filter(name -> columns.get(name).matches("jpeg|jpeg:.*|png"))
              .toList();
      return images.size() == 1 ? images.get(0) : "image";
    }

    private record Search(Path directory, Map<String, String> columns) {

      String find(@Nullable String chosen, String usual, String encodings, String what)
          throws FormatException {
        String column = chosen == null ? usual : chosen;
        String found = columns.get(column);
        if (found != null && found.matches(encodings)) {
          return column;
        }
        String problem =
            found == null
                ? "no column '%s' for %s names another, of %s".formatted(column, what, columns)
                : "column '%s' of encoding %s, which does not suit %s names another, of %s"
                    .formatted(column, found, what, columns);
        if (chosen != null) {
          throw new IllegalArgumentException(directory + " has " + problem);
        }
        throw FormatException.in(directory, "it has " + problem);
      }
    }

    List<String> names() {
      return Stream.of(image, label, key).filter(Objects::nonNull).toList();
    }
  }

  MdsStore(MdsDataset samples, Path directory, Columns columns, ClassList classes) {
    super(samples, classes.names());
    this.directory = directory;
    this.columns = columns;
    this.classes = classes;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    List<byte[]> values = samples().stored(index, columns.names());
    String key =
        columns.key() == null
            ? NumberedKeys.padded(index, size())
            : new String(values.get(values.size() - 1), UTF_8);
    int label = columns.label() == null ? EncodedImage.NO_LABEL : label(index, values.get(1));
    return noted(new EncodedImage(key, values.get(0), label));
  }

  @Override
  public String key(long index) throws IOException {
    return columns.key() == null
        ? NumberedKeys.padded(Objects.checkIndex(index, size()), size())
        : new String(samples().stored(index, columns.key()), UTF_8);
  }

  @Override
  public int label(long index) throws IOException {
    Objects.checkIndex(index, size());
    return columns.label() == null
        ? EncodedImage.NO_LABEL
        : label(index, samples().stored(index, columns.label()));
  }

  @Override
  public Optional<StoredImage> view(long index) throws IOException {
    return hasRecords() && !samples().isFar(index) ? locate(index) : Optional.empty();
  }

  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    Optional<MdsDataset.Located> found = samples().locate(index, columns.image(), columns.label());
    if (found.isEmpty()) {
      return Optional.empty();
    }
    int label = columns.label() == null ? EncodedImage.NO_LABEL : label(index, found.get().label());
    return Optional.of(new FileImage(samples().files(), found.get().image(), label));
  }

  private int label(long index, byte[] value) throws IOException {
    String place = "%s, column '%s'".formatted(describe(index), columns.label());
    ByteBuffer stored = ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN);
    try {
      return classes.index((Long) columns.labelEncoding().decode(stored, place));
    } catch (IllegalArgumentException noNumber) {
      throw new FormatException(place + ": " + noNumber.getMessage(), noNumber);
    } catch (FormatException noClass) {
      throw noClass.at(place);
    }
  }

  @Override
  public Path path() {
    return directory;
  }

  @Override
  public Path path(long index) {
    return samples().path(index);
  }

  @Override
  public String name() {
    return samples().name().replaceFirst("MdsDataset", "MdsDataset.images");
  }

  @Override
  public String fingerprint() {
    return samples().fingerprint();
  }

  @Override
  public void checkStructure() throws IOException {
    samples().checkShards();
  }

  @Override
  public ShardIdentity shard(int number) {
    return samples().identity(number);
  }

  @Override
  public long[] shardSizes() {
    return samples().shardSizes();
  }
}

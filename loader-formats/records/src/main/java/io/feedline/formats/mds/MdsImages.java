package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.samples.ClassList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A reader of the images of an MDS dataset (MosaicML's streaming) and their classes. It reads a
 * column of images, a column of labels and, if there is one, a column of keys. The names of the
 * classes are in the index, as the member {@code classes}, which streaming ignores, or beside the
 * index, in {@code classes.json}.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code mds}. The options {@code
 * image-field}, {@code label-field} (empty if there are no labels) and {@code key-field} name the
 * columns to read. The format writes the columns {@code image}, {@code key} and {@code label}, with
 * the options
 *
 * <ul>
 *   <li>{@code image-encoding}: {@code bytes} by default, for images of any kind; or {@code jpeg}
 *       or {@code png}, which streaming decodes by itself;
 *   <li>{@code compression}: {@code gz}, {@code zstd}, {@code zstd:7}, ...; none by default;
 *   <li>{@code hashes}: names of checksums, separated by commas; none by default.
 * </ul>
 */
public final class MdsImages {

  private MdsImages() {}

  /**
   * Returns the images of a dataset, with the defaults of {@link #builder}.
   *
   * @throws IOException if the index cannot be read
   */
  public static ImageDataset of(Path directory) throws IOException {
    return builder(directory).build();
  }

  /**
   * Returns a builder for the images of a dataset.
   *
   * @param directory the directory of {@code index.json}
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  /**
   * Options; see {@link MdsImages#builder}. Not thread-safe.
   *
   * <p>By default the image is the only column of encoding {@code jpeg} or {@code png}. If there is
   * no such column, or there are several, the image is the column {@code image}, which may also be
   * of encoding {@code bytes}. The label is the first of the columns {@code label}, {@code class},
   * {@code cls}, {@code y} that exists; it must contain integers. The key is the column {@code key}
   * if its encoding is {@code str}, and otherwise the sample's number. The names of the classes are
   * read from the index, or else from {@code classes.json}. Shards are opened when they are needed.
   */
  public static final class Builder extends ImageStoreBuilder.WithKeys<Builder> {
    private static final List<String> LABELS = List.of("label", "class", "cls", "y");

    private final Path directory;
    private final MdsDataset.Builder samples;

    private Builder(Path directory) {
      this.directory = directory;
      this.samples = MdsDataset.builder(directory);
    }

    /** Sets {@link MdsDataset.Builder#cache}. */
    public Builder cache(Path cache) {
      samples.cache(cache);
      return this;
    }

    /** Sets {@link MdsDataset.Builder#cacheBytes}. */
    public Builder cacheBytes(long cacheBytes) {
      samples.cacheBytes(cacheBytes);
      return this;
    }

    /** Sets {@link MdsDataset.Builder#verifyChecksums}. */
    public Builder verifyChecksums(boolean verifyChecksums) {
      samples.verifyChecksums(verifyChecksums);
      return this;
    }

    /** Sets {@link MdsDataset.Builder#openFiles}. */
    public Builder openFiles(int openFiles) {
      samples.openFiles(openFiles);
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      return store(MdsIndex.read(directory));
    }

    MdsStore store(MdsIndex index) throws IOException {
      Map<String, String> columns = MdsIndex.columns(index.shards());
      if (columns.isEmpty()) {
        // Without a shard the columns are unknown, and no sample needs them.
        return store(index, new MdsStore.Columns("image", null, null, null));
      }
      String imageColumn = imageOr(imageOf(columns));
      String label = labelOr(labelOf(columns));
      String labelColumn = label.isEmpty() ? null : label;
      String keyColumn = keyOr("str".equals(columns.get("key")) ? "key" : null);
      boolean chosen = imageOr(null) != null;
      require(columns, imageColumn, chosen, "jpeg|jpeg:.*|png|bytes", "images; imageField(...)");
      if (labelColumn != null) {
        chosen = labelOr(null) != null;
        require(
            columns, labelColumn, chosen, "int|u?int[0-9]+|str_int", "classes; labelField(...)");
      }
      if (keyColumn != null) {
        require(columns, keyColumn, keyOr(null) != null, "str", "keys; keyField(...)");
      }
      MdsEncoding labels = labelColumn == null ? null : MdsEncoding.of(columns.get(labelColumn));
      return store(index, new MdsStore.Columns(imageColumn, labelColumn, labels, keyColumn));
    }

    private MdsStore store(MdsIndex index, MdsStore.Columns used) throws IOException {
      ClassList kept =
          index.classes().isEmpty()
              ? ClassList.readIfPresent(directory.resolve(ClassList.FILE_NAME))
              : new ClassList(index.classes(), 0);
      return new MdsStore(
          samples.columns(used.names().toArray(String[]::new)).build(index),
          directory,
          used,
          new ClassList(classesOr(kept.names()), kept.firstLabel()));
    }

    private static String imageOf(Map<String, String> columns) {
      List<String> images =
          columns.keySet().stream()
              .filter(name -> columns.get(name).matches("jpeg|jpeg:.*|png"))
              .toList();
      return images.size() == 1 ? images.get(0) : "image";
    }

    private static String labelOf(Map<String, String> columns) {
      return LABELS.stream().filter(columns::containsKey).findFirst().orElse("label");
    }

    private void require(
        Map<String, String> columns, String column, boolean chosen, String encodings, String what)
        throws FormatException {
      String found = columns.get(column);
      if (found == null || !found.matches(encodings)) {
        String problem =
            found == null
                ? "no column '%s' for %s names another, of %s".formatted(column, what, columns)
                : "column '%s' of encoding %s, which does not suit %s names another, of %s"
                    .formatted(column, found, what, columns);
        if (chosen) {
          throw new IllegalArgumentException(directory + " has " + problem);
        }
        throw FormatException.in(directory, "it has " + problem);
      }
    }
  }
}

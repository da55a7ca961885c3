package io.feedline.formats.arrow;

import io.feedline.formats.arrow.internal.ArrowFormat;
import io.feedline.formats.arrow.internal.ArrowStore;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.shards.TableFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A reader of encoded images and their labels in Arrow's IPC files, as Hugging Face's datasets
 * keeps them in its cache and writes them by {@code save_to_disk}: a column {@code image}, a
 * structure of {@code bytes} and {@code path}, and a column {@code label}.
 *
 * <pre>{@code
 * try (ImageDataset train = ArrowImages.of(Path.of("dataset/train"));
 *     DataLoader<LabeledImage> loader = DataLoader.builder(train).shuffle(true).build()) { ... }
 * }</pre>
 *
 * <p><b>Principle.</b> Opening reads the headers of all record batches. A sample takes one read of
 * its offsets, one of its bytes and one of its label, so that on a local disk all orders are
 * equally fast. The names of the classes come from Hugging Face's description in the schema.
 *
 * <p><b>File layout.</b> Streams, as datasets writes them, and files that begin with {@code
 * ARROW1}, as {@code pyarrow.ipc.new_file} and {@code pyarrow.feather} write them; <a
 * href="https://arrow.apache.org/docs/format/Columnar.html">Arrow Columnar Format</a>, metadata of
 * versions 4 and 5.
 *
 * <p><b>Known limitations.</b> Images are {@code binary} or {@code large_binary}, in structures or
 * not. Labels are whole numbers of any width, or texts; texts are read when the dataset is opened,
 * and sorted they are the classes. An image whose label is null has no label. Keys are texts.
 * Compressed bodies, which {@code write_feather} makes by default, are refused, as are images in
 * lists, dictionaries and views, big-endian files, Feather of version 1, and files of different
 * schemas. Other columns may be of any type.
 *
 * <p>{@link StoreFormat#named} returns the format by its name {@code arrow}. It opens an {@code
 * .arrow} or {@code .feather} file, a pattern, or a directory with files of one split. The options
 * {@code image-field}, {@code label-field} (empty for images without labels) and {@code key-field}
 * name columns; the name of a column within a structure is like {@code image.bytes}. It writes no
 * files.
 */
public final class ArrowImages {

  private static final TableFormat FILES = new ArrowFormat();

  private ArrowImages() {}

  /**
   * Returns the images of a file, or of several, with the defaults of {@link #builder(Path)}.
   *
   * @param path a file, a pattern such as {@code data-*.arrow}, or a directory
   * @throws IOException if no file matches, or a file is missing, damaged, or has no such columns
   */
  public static ImageDataset of(Path path) throws IOException {
    return builder(path).build();
  }

  /**
   * Returns a builder for the images of a file, or of several.
   *
   * @param path a file, a pattern such as {@code data-*.arrow}, or a directory
   */
  public static Builder builder(Path path) {
    return new Builder(List.of(path), false);
  }

  /**
   * Returns a builder for the images of the given files, in this order, such as the files of a
   * split.
   *
   * @param files one file or more
   */
  public static Builder builder(List<Path> files) {
    return new Builder(List.copyOf(files), true);
  }

  /**
   * The options; see {@link ArrowImages#builder(Path)}. Columns have the defaults of {@link
   * io.feedline.formats.parquet.ParquetImages.Builder}. Not thread-safe.
   */
  public static final class Builder extends ImageStoreBuilder.WithFiles<Builder> {

    /** The files that were given as a list; otherwise the one path by which files are found. */
    private final List<Path> paths;

    private final boolean listed;

    private Builder(List<Path> paths, boolean listed) {
      this.paths = paths;
      this.listed = listed;
    }

    @Override
    protected ImageStore store() throws IOException {
      List<Path> files =
          listed
              ? TableFormat.listed(paths, allowMissingShards())
              : FILES.files(paths.get(0), allowMissingShards());
      return ArrowStore.open(
          paths.get(0),
          files,
          new ImageColumns.Wanted(imageOr(null), labelOr(null), keyOr(null)),
          classesOr(null),
          openFiles());
    }
  }
}

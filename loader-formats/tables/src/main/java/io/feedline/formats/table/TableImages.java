package io.feedline.formats.table;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.samples.ImageColumns;
import io.feedline.formats.store.internal.shards.ImageTableFormat;
import io.feedline.formats.store.internal.shards.TableFormat.TextOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A reader of encoded images and their labels in Parquet and Arrow files, as Hugging Face's
 * datasets writes both: a column {@code image}, a structure of {@code bytes} and {@code path}, and
 * a column {@code label}. Needs {@code io.feedline:loader-images}.
 *
 * <pre>{@code
 * try (ImageDataset train = TableImages.of(Path.of("data/train-*.parquet"));
 *     DataLoader<LabeledImage> loader =
 *         DataLoader.builder(train)
 *             .sampler(ShardedSampler.of(train.store().shardSizes(), 8, seed))
 *             .build()) { ... }
 * }</pre>
 *
 * <p>Labels are whole numbers or texts. Texts are read when the dataset is opened; the classes are
 * the sorted texts. Classes of whole numbers have the names in Hugging Face's description. An image
 * whose label is null has no label.
 *
 * <p><b>Parquet.</b> A page of a column is decompressed as a whole, and kept. It has some hundred
 * images, so a wholly random order decompresses a page for each image if not all pages are kept;
 * the order in the example above reads row groups together. Compressions: SNAPPY, ZSTD, LZ4_RAW,
 * GZIP and none. Encodings: PLAIN, dictionaries, DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY and
 * DELTA_BYTE_ARRAY. Encryption and lists of images are not supported.
 *
 * <p><b>Arrow.</b> Streams and files of the <a
 * href="https://arrow.apache.org/docs/format/Columnar.html">IPC format</a>, with metadata of
 * versions 4 and 5. Opening reads the headers of all record batches. A sample is read by itself, so
 * all orders are equally fast on a local disk. Images are {@code binary} or {@code large_binary}.
 * Compressed bodies, which {@code write_feather} makes by default, are not supported, nor images in
 * lists, dictionaries and views, big-endian files, Feather of version 1, and files of different
 * schemas.
 *
 * <p>{@link StoreFormat#named} returns the formats for the names {@code parquet} and {@code arrow}.
 * Their options are {@code image-field}, {@code label-field} (empty for images without labels) and
 * {@code key-field}. They do not write files.
 */
public final class TableImages {

  private TableImages() {}

  /**
   * Returns the images of a file, or of several, with the defaults of {@link #builder(Path)}.
   *
   * @param path a path as for {@link #builder(Path)}
   * @throws IOException if no file matches, or a file is missing, damaged, or has no such columns
   */
  public static ImageDataset of(Path path) throws IOException {
    return builder(path).build();
  }

  /**
   * Returns a builder for the images of a file, or of several.
   *
   * @param path a {@code .parquet}, {@code .arrow} or {@code .feather} file, a pattern such as
   *     {@code train-*.parquet}, or a directory with the files of one split
   */
  public static Builder builder(Path path) {
    return new Builder(List.of(path), false);
  }

  /**
   * Returns a builder for the images of the given files, in this order. The files may be those of a
   * split.
   *
   * @param files one file or more, all of the same format
   */
  public static Builder builder(List<Path> files) {
    return new Builder(List.copyOf(files), true);
  }

  /**
   * The options; see {@link TableImages#builder(Path)}. Not thread-safe.
   *
   * <p>By default the image is the column that Hugging Face's description calls an image, or else
   * the only structure with {@code bytes}, or else the only column called {@code image}, {@code
   * img}, {@code jpg}, {@code jpeg}, {@code png} or {@code bytes}. The label is the column that the
   * description calls a class label, or else the column called {@code label}, or else the only
   * column called {@code labels}, {@code class}, {@code cls} or {@code y}. Without such a column
   * images have no labels; a column of another type, such as lists, is an error. A column within a
   * structure is called {@code image.bytes}. The key of a sample is its index, or the value in a
   * named column of keys that is not null there.
   */
  public static final class Builder extends ImageStoreBuilder.WithFiles<Builder> {

    /** The files that were given as a list; otherwise the one path by which files are found. */
    private final List<Path> paths;

    private final boolean listed;
    private long cacheBytes = ImageTableFormat.CACHE_BYTES;

    private Builder(List<Path> paths, boolean listed) {
      this.paths = paths;
      this.listed = listed;
    }

    /**
     * Sets how many bytes of heap memory the kept pages of Parquet may take, 256 MiB by default.
     * Decompressing pages may take the same amount again. A page larger than this limit is kept
     * until the next page is read.
     *
     * @param cacheBytes 0 or more
     */
    public Builder cacheBytes(long cacheBytes) {
      if (cacheBytes < 0) {
        throw new IllegalArgumentException("cacheBytes must be 0 or more, was " + cacheBytes);
      }
      this.cacheBytes = cacheBytes;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      TableSource.Options options =
          new TableSource.Options(TextOptions.DEFAULT, allowMissingShards());
      Path first = paths.get(0);
      TableSource source =
          listed ? TableSource.listed(paths, options) : TableSource.open(first, options);
      if (!(source.format() instanceof ImageTableFormat format)) {
        throw FormatException.in(
            first, "images are read from parquet and arrow, not from " + source.format().name());
      }
      return format.openImages(
          first,
          source.paths(),
          new ImageColumns.Wanted(imageOr(null), labelOr(null), keyOr(null)),
          classesOr(null),
          openFiles(),
          cacheBytes);
    }
  }
}

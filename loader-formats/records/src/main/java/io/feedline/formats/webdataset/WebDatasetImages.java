package io.feedline.formats.webdataset;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.RecordFilesBuilder;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardList;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A reader of the images of WebDataset shards and their classes, with random access.
 *
 * <p>The names of the classes are read from {@code shards.json} if that lists the shards, or from
 * {@code classes.json} beside the first shard, if there is one: {@code {"classes":["cat","dog"]}},
 * as {@link WebDatasetWriter} writes it.
 *
 * <p>After a coefficient record or a raw record of 64 KiB or more was read from local shards, a
 * sample is read with only the header of its record. A crop then reads the rows that it needs, for
 * which the dataset must still be open.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code webdataset}. The format opens
 * a shard, a directory of shards, a directory or file with a list of shards in the form of {@code
 * wids}, or a pattern in brace notation; The option {@code image-field} lists the suffixes of
 * images, separated by commas; {@code label-field} is the suffix of the class, empty for images
 * without a class. The format writes a directory with {@code data-000000.tar} and so on, and {@code
 * classes.json}. Dots behind the last slash of a key become underscores, since a reader would cut
 * the key at the first dot.
 */
public final class WebDatasetImages {

  private WebDatasetImages() {}

  /**
   * Returns the images of shards, with the defaults of {@link #builder(String)}.
   *
   * @throws IOException if a shard cannot be read
   */
  public static ImageDataset of(String pattern) throws IOException {
    return builder(pattern).build();
  }

  /** Returns a builder for the images of the shards of {@link WebDataset#builder(String)}. */
  public static Builder builder(String pattern) {
    return builder(Braces.paths(pattern));
  }

  /** Returns a builder for the images of the shards of {@link WebDataset#builder(List)}. */
  public static Builder builder(List<Path> shards) {
    return new Builder(shards);
  }

  /** Options; see {@link WebDatasetImages#builder(String)}. Not thread-safe. */
  public static final class Builder extends RecordFilesBuilder<Builder> {
    private final WebDataset.Builder samples;

    /** Null: the fields that the list of shards names, or else the defaults. */
    private ImageFields fields;

    private Builder(List<Path> shards) {
      this.samples = WebDataset.builder(shards);
    }

    /**
     * Sets the fields of the image and its class; by default the fields that a list of shards
     * names, or else {@link ImageFields#DEFAULT}.
     */
    public Builder fields(ImageFields fields) {
      this.fields = Objects.requireNonNull(fields, "fields");
      return this;
    }

    /**
     * Builds the dataset, which the caller closes; opens the shards, and scans shards without an
     * index.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or there is no shard
     * @throws FileNotFoundException if a shard does not exist
     * @throws IOException if a shard or the names of the classes cannot be read
     */
    public ImageDataset build() throws IOException {
      return ImageDataset.of(store(StoreOptions.NONE));
    }

    WebDatasetStore store(StoreOptions options) throws IOException {
      return store(samples.chosen(), options);
    }

    WebDatasetStore store(ChosenShards chosen, StoreOptions options) throws IOException {
      ImageFields effective = fields;
      if (fields == null) {
        StoreOptions listed =
            chosen.isListed() ? StoreOptions.of(chosen.list().options()) : StoreOptions.NONE;
        listed.requireKnown(chosen.path() + ", " + ShardList.NAME, WebDatasetFormat.OPTIONS);
        effective = with(options, with(listed, ImageFields.DEFAULT));
      }
      if (effective.classes().isEmpty()) {
        effective = effective.withClasses(classes(chosen));
      }
      return new WebDatasetStore(samples.like(this).build(chosen), effective);
    }

    private static ClassList classes(ChosenShards chosen) throws IOException {
      if (!chosen.isListed()) {
        return ClassList.readIfPresent(chosen.path().resolveSibling(ClassList.FILE_NAME));
      }
      return new ClassList(chosen.list().classes(), 0);
    }

    private static ImageFields with(StoreOptions options, ImageFields fields) {
      ImageFields changed = fields;
      Optional<String> image = options.text(StoreOptions.IMAGE_FIELD);
      if (image.isPresent()) {
        changed = changed.withSuffixes(image.get().split(",", -1));
      }
      Optional<String> label = options.text(StoreOptions.LABEL_FIELD);
      if (label.isPresent()) {
        changed = label.get().isEmpty() ? changed.withoutLabels() : changed.withLabel(label.get());
      }
      return changed;
    }
  }
}

package io.feedline.formats.webdataset;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ScanIndexStore;
import io.feedline.formats.support.ClassList;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The images of WebDataset shards and their classes, with random access.
 *
 * <p>The names of the classes come from {@code classes.json} beside the first shard, if there is
 * one: {@code {"classes":["cat","dog"]}}, as {@link WebDatasetWriter} writes it.
 *
 * <p>Thread-safe. Whoever made it closes it; {@code close()} may be called twice, {@code get}
 * afterwards throws {@link IllegalStateException}.
 */
public final class WebDatasetImages implements ImageDataset, Closeable {

  private final WebDataset samples;
  private final ImageFields fields;
  private final DecodeOptions decodeOptions;
  private final ScanIndexStore scanIndexes;
  private final Path path;

  private WebDatasetImages(
      WebDataset samples, ImageFields fields, DecodeOptions decodeOptions, Path path) {
    this.samples = samples;
    this.fields = fields;
    this.decodeOptions = decodeOptions;
    this.path = path;
    this.scanIndexes = ScanIndexStore.beside(path, this::fingerprint, size());
  }

  /**
   * The images of shards, with the defaults of {@link #builder(String)}.
   *
   * @param pattern their paths, in brace notation; see {@link WebDataset#builder(String)}
   * @throws IOException if a shard cannot be read
   */
  public static WebDatasetImages of(String pattern) throws IOException {
    return builder(pattern).build();
  }

  /**
   * Options for the images of shards.
   *
   * @param pattern their paths, in brace notation; see {@link WebDataset#builder(String)}
   * @throws IllegalArgumentException if the braces do not match
   */
  public static Builder builder(String pattern) {
    return builder(Braces.expand(pattern).stream().map(Path::of).toList());
  }

  /** Options for the images of shards in this order. */
  public static Builder builder(List<Path> shards) {
    return new Builder(shards);
  }

  @Override
  public long size() {
    return samples.size();
  }

  @Override
  public EncodedImage encoded(long index) throws IOException {
    return fields.image(samples.get(index));
  }

  @Override
  public List<String> classes() {
    return fields.classes();
  }

  /** The first shard. */
  @Override
  public Path path() {
    return path;
  }

  @Override
  public ScanIndexStore scanIndexes() {
    return scanIndexes;
  }

  @Override
  public DecodeOptions decodeOptions() {
    return decodeOptions;
  }

  @Override
  public String describe(long index) {
    return samples.describe(index);
  }

  @Override
  public String name() {
    return samples.name().replaceFirst("WebDataset", "WebDatasetImages");
  }

  @Override
  public String fingerprint() {
    return samples.fingerprint();
  }

  /** The number of images of each shard, newly made: for orders that keep a shard together. */
  public long[] shardSizes() {
    return samples.shardSizes();
  }

  @Override
  public void close() throws IOException {
    samples.close();
  }

  /** Options; see {@link WebDatasetImages#builder(String)}. Not thread-safe. */
  public static final class Builder {
    private final List<Path> shards;
    private final WebDataset.Builder samples;
    private ImageFields fields = ImageFields.DEFAULT;
    private DecodeOptions decodeOptions = DecodeOptions.DEFAULT;

    private Builder(List<Path> shards) {
      this.shards = List.copyOf(shards);
      this.samples = WebDataset.builder(shards);
    }

    /** Which fields are the image and its class; {@link ImageFields#DEFAULT} by default. */
    public Builder fields(ImageFields fields) {
      this.fields = Objects.requireNonNull(fields, "fields");
      return this;
    }

    /** How images are decoded; {@link DecodeOptions#DEFAULT} by default. */
    public Builder decode(DecodeOptions options) {
      this.decodeOptions = Objects.requireNonNull(options, "options");
      return this;
    }

    /** See {@link WebDataset.Builder#keepIndex}. */
    public Builder keepIndex(boolean keepIndex) {
      samples.keepIndex(keepIndex);
      return this;
    }

    /** See {@link WebDataset.Builder#openFiles}. */
    public Builder openFiles(int openFiles) {
      samples.openFiles(openFiles);
      return this;
    }

    /** See {@link WebDataset.Builder#maxSampleBytes}. */
    public Builder maxSampleBytes(long maxSampleBytes) {
      samples.maxSampleBytes(maxSampleBytes);
      return this;
    }

    /**
     * Opens the shards, and scans those that have no index.
     *
     * @throws IllegalArgumentException if an option has an impossible value, or there is no shard
     * @throws FileNotFoundException if a shard does not exist
     * @throws IOException if a shard or the names of the classes cannot be read
     */
    public WebDatasetImages build() throws IOException {
      ImageFields effective = fields;
      if (fields.classes().isEmpty() && !shards.isEmpty()) {
        Path directory = shards.get(0).toAbsolutePath().getParent();
        effective =
            fields.withClasses(
                ClassList.readIfPresent(directory.resolve(ClassList.FILE_NAME)).names());
      }
      return new WebDatasetImages(
          samples.fields(effective::contains).build(), effective, decodeOptions, shards.get(0));
    }
  }
}

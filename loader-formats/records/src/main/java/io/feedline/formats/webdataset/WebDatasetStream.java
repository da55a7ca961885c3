package io.feedline.formats.webdataset;

import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.RecordFilesBuilder;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.ChosenShards;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.zip.CRC32C;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A dataset of the samples of WebDataset shards, each shard read from front to back, as Python's
 * webdataset reads them: nothing is scanned beforehand, and shards may be compressed ({@code
 * .tar.gz}, {@code .tgz}).
 *
 * <p>A shard of the dataset is a shard of the loader: it shuffles their order, reads several in
 * turn, shuffles samples through a buffer and deals shards out to ranks. For the latter it must
 * know how many samples they have, see {@link Builder#countSamples}; otherwise each rank reads all
 * shards.
 *
 * <pre>{@code
 * DataLoader.builder(WebDatasetStream.of("/data/train-{000000..000146}.tar"))
 *     .shuffleShards(true).shuffleBuffer(5000).interleave(4)
 * }</pre>
 *
 * <p>A damaged sample is an exception in its place. Where a shard is damaged, the exception takes
 * the place of the sample that would follow, and the shard ends.
 *
 * <p>Immutable, thread-safe, and holds nothing open.
 */
public final class WebDatasetStream implements IterableDataset<WebSample> {

  private final ChosenShards chosen;
  private final List<Path> shards;
  private final Predicate<String> fields;
  private final long maxSampleBytes;

  /** The number of samples of each shard, or null where they are not known. */
  private final long @Nullable [] sizes;

  private WebDatasetStream(Builder builder, ChosenShards chosen, long[] sizes) {
    this.sizes = sizes;
    this.chosen = chosen;
    this.shards = chosen.shards();
    this.fields = builder.fields;
    this.maxSampleBytes = builder.maxSampleBytes;
  }

  /**
   * Returns the samples of shards, with the defaults of {@link #builder(String)}.
   *
   * @param pattern their paths, in brace notation; see {@link WebDataset#builder(String)}
   * @throws IOException if one of them does not exist
   */
  public static WebDatasetStream of(String pattern) throws IOException {
    return builder(pattern).build();
  }

  /**
   * Returns a builder for the samples of shards.
   *
   * @param pattern their paths, in brace notation; see {@link WebDataset#builder(String)}
   * @throws IllegalArgumentException if the braces do not match
   */
  public static Builder builder(String pattern) {
    return builder(Braces.paths(pattern));
  }

  /**
   * Returns a builder for the samples of shards in this order, or of the shards of the only path if
   * that is a directory with {@code shards.json}, which tells how many samples they have.
   */
  public static Builder builder(List<Path> shards) {
    return new Builder(shards);
  }

  @Override
  public int shards() {
    return shards.size();
  }

  /** Returns the number of samples, where shards were counted; those that fail are among them. */
  @Override
  public OptionalLong size() {
    return sizes == null ? OptionalLong.empty() : OptionalLong.of(Arrays.stream(sizes).sum());
  }

  @Override
  public OptionalLong shardSize(int shard) {
    return sizes == null ? OptionalLong.empty() : OptionalLong.of(sizes[shard]);
  }

  @Override
  public String describe(int shard) {
    return shards.get(shard).toString();
  }

  /**
   * Opens a shard.
   *
   * @throws IndexOutOfBoundsException if there is no such shard
   * @throws IOException if it cannot be opened
   */
  @Override
  public SampleStream<WebSample> open(int shard, long epoch) throws IOException {
    Path path = shards.get(Objects.checkIndex(shard, shards.size()));
    return open(path, fields, maxSampleBytes);
  }

  private static Stream open(Path path, Predicate<String> fields, long maxSampleBytes)
      throws IOException {
    TarInput input = input(path);
    TarSampleReader reader =
        new TarSampleReader(new TarReader(input, path), path, fields, maxSampleBytes);
    return new Stream(reader, path, input);
  }

  /**
   * A plain file is read by position, so that fields that the caller does not want are not read.
   */
  private static TarInput input(Path path) throws IOException {
    if (!WebDataset.isCompressed(path)) {
      OpenFiles file = new OpenFiles(1);
      try {
        return TarInput.owning(file, path);
      } catch (IOException | RuntimeException failure) {
        file.close();
        throw failure;
      }
    }
    InputStream stream = OpenFile.of(path).stream();
    try {
      return TarInput.of(new BufferedInputStream(new GZIPInputStream(stream, 1 << 16), 1 << 16));
    } catch (EOFException | ZipException broken) {
      stream.close();
      throw FormatException.in(path, "not gzip, or truncated: " + broken.getMessage(), broken);
    } catch (IOException | RuntimeException failure) {
      stream.close();
      throw failure;
    }
  }

  @Override
  public String name() {
    return "WebDatasetStream(%s%s)"
        .formatted(
            chosen.path(),
            chosen.isListed() || shards.size() == 1 ? "" : ", ... " + shards.size() + " shards");
  }

  /** Returns the shards' names as a checksum, wherever they lie. */
  @Override
  public String fingerprint() {
    if (chosen.isListed()) {
      return chosen.list().fingerprint("WebDatasetStream");
    }
    CRC32C crc = new CRC32C();
    for (Path shard : shards) {
      crc.update((shard.getFileName() + "\n").getBytes(StandardCharsets.UTF_8));
    }
    return String.format(Locale.ROOT, "WebDatasetStream:%d:%08x", shards.size(), crc.getValue());
  }

  /** An open shard. */
  private static final class Stream implements SampleStream<WebSample> {
    private static final int MAX_TRAILER = 1 << 20;

    private final TarSampleReader reader;
    private final Path shard;
    private final TarInput input;
    private boolean ended;

    Stream(TarSampleReader reader, Path shard, TarInput input) {
      this.reader = reader;
      this.shard = shard;
      this.input = input;
    }

    @Override
    public PendingSample<WebSample> next() throws IOException {
      try {
        WebSample sample = reader.next();
        if (sample == null) {
          verifyEnd();
          return null;
        }
        return PendingSample.of(sample);
      } catch (EOFException | ZipException broken) {
        ended = true;
        throw unpackable(broken);
      }
    }

    /** Passes over headers alone. */
    @Override
    public long skip(long samples) throws IOException {
      for (long skipped = 0; skipped < samples; skipped++) {
        try {
          if (reader.skip() == null) {
            verifyEnd();
            return skipped;
          }
        } catch (EOFException | ZipException deliveredBefore) {
          ended = true;
        } catch (FormatException deliveredBefore) {
          // It took a sample's place when the epoch was first read, and was delivered then.
        }
      }
      return samples;
    }

    /**
     * Reads on to the end of compressed data, where their checksum is: an archive is filled up with
     * a few kilobytes of zeros. Without a limit, who wrote it could keep us reading for ever.
     */
    private void verifyEnd() throws IOException {
      if (!ended) {
        ended = true;
        input.skip(MAX_TRAILER);
      }
    }

    private FormatException unpackable(IOException broken) {
      return FormatException.in(
          shard,
          "the data are broken or truncated behind offset %d of the archive: %s"
              .formatted(input.position(), broken.getMessage()),
          broken);
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** Options; see {@link WebDatasetStream#builder(String)}. Not thread-safe. */
  public static final class Builder {
    private final List<Path> given;
    private Predicate<String> fields = suffix -> true;
    private long maxSampleBytes = RecordFilesBuilder.DEFAULT_MAX_SAMPLE_BYTES;
    private boolean countSamples;
    private long[] shardSizes;

    private Builder(List<Path> given) {
      this.given = List.copyOf(given);
    }

    /** Sets which fields are read, by their suffix in lower case; all by default. */
    public Builder fields(Predicate<String> fields) {
      this.fields = Objects.requireNonNull(fields, "fields");
      return this;
    }

    /**
     * Sets how many bytes the fields of a sample may have together; {@link
     * RecordFilesBuilder#DEFAULT_MAX_SAMPLE_BYTES} by default. It bounds what a compressed shard
     * can make a reader unpack into memory.
     */
    public Builder maxSampleBytes(long maxSampleBytes) {
      this.maxSampleBytes = maxSampleBytes;
      return this;
    }

    /**
     * Sets whether the samples of each shard are counted when the dataset is built; false by
     * default. A loader that deals shards out to ranks needs to know, so that all make equally many
     * steps. Shards are counted from the index that {@link WebDataset} keeps, which is made where
     * it is missing; compressed ones are unpacked once. Not together with {@link #shardSizes}.
     */
    public Builder countSamples(boolean countSamples) {
      this.countSamples = countSamples;
      return this;
    }

    /** Sets the number of samples of each shard, where it is known; not checked. */
    public Builder shardSizes(long... shardSizes) {
      this.shardSizes = shardSizes.clone();
      return this;
    }

    /**
     * Builds the dataset; a shard is only read to be counted, if that is asked for.
     *
     * @throws IllegalArgumentException if an option has an impossible value, options contradict
     *     each other, or there is no shard
     * @throws FileNotFoundException if a shard does not exist
     * @throws IOException if a shard cannot be read to be counted
     */
    public WebDatasetStream build() throws IOException {
      ChosenShards chosen = WebDataset.chosen(given);
      List<Path> shards = chosen.shards();
      WebDataset.require(chosen, maxSampleBytes);
      if (shardSizes != null) {
        if (countSamples) {
          throw new IllegalArgumentException("give shardSizes or countSamples(true), not both");
        }
        if (shardSizes.length != shards.size() || Arrays.stream(shardSizes).min().orElse(0) < 0) {
          throw new IllegalArgumentException(
              "shardSizes must be %d numbers, 0 or more, was %s"
                  .formatted(shards.size(), Arrays.toString(shardSizes)));
        }
      }
      long[] known = chosen.isListed() ? chosen.list().sizes() : null;
      if (shardSizes != null) {
        known = shardSizes;
      } else if (countSamples && known == null) {
        known = count(shards);
      }
      return new WebDatasetStream(this, chosen, known);
    }

    private static long[] count(List<Path> shards) throws IOException {
      Map<Path, Long> sizes = new HashMap<>();
      List<Path> plain = shards.stream().filter(shard -> !WebDataset.isCompressed(shard)).toList();
      if (!plain.isEmpty()) {
        try (OpenFiles files = new OpenFiles(OpenFiles.DEFAULT_LIMIT)) {
          long[] counted = TarScan.indexes(ChosenShards.of(plain), files, true).numbers().sizes();
          for (int i = 0; i < counted.length; i++) {
            sizes.put(plain.get(i), counted[i]);
          }
        }
      }
      for (Path shard : shards) {
        if (WebDataset.isCompressed(shard)) {
          try (Stream stream = WebDatasetStream.open(shard, suffix -> false, 1)) {
            sizes.put(shard, stream.skip(Long.MAX_VALUE));
          }
        }
      }
      return shards.stream().mapToLong(sizes::get).toArray();
    }
  }
}

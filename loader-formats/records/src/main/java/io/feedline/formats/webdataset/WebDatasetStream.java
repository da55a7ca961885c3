package io.feedline.formats.webdataset;

import io.feedline.data.FormatException;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.data.SampleStream.PendingSample;
import io.feedline.formats.store.internal.files.OpenFile;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.Unpacked;
import io.feedline.formats.store.internal.shards.ChosenShards;
import io.feedline.formats.store.internal.shards.ShardIndexes;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import io.feedline.internal.Closing;
import io.feedline.internal.Digest;
import io.feedline.internal.Named;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.zip.ZipException;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.jspecify.annotations.Nullable;

/** A stream of the samples of shards. Immutable and thread-safe; keeps nothing open. */
final class WebDatasetStream extends Named implements IterableDataset<WebSample> {

  private static final int BUFFER_BYTES = 1 << 16;

  private final ChosenShards chosen;
  private final List<Path> shards;
  private final Predicate<String> fields;
  private final long maxSampleBytes;
  private final long @Nullable [] sizes;

  WebDatasetStream(
      ChosenShards chosen, Predicate<String> fields, long maxSampleBytes, long @Nullable [] sizes) {
    this.chosen = chosen;
    this.shards = chosen.shards();
    this.fields = fields;
    this.maxSampleBytes = maxSampleBytes;
    this.sizes = sizes;
  }

  static long[] count(List<Path> shards) throws IOException {
    Map<Path, Long> sizes = new HashMap<>();
    List<Path> plain = new ArrayList<>();
    for (Path shard : shards) {
      try (OpenFiles file = new OpenFiles(1)) {
        if (TarInput.whole(file, shard).compression() == null) {
          plain.add(shard);
        }
      }
    }
    if (!plain.isEmpty()) {
      try (ShardIndexes indexes =
          TarScan.open(ChosenShards.of(plain), OpenFiles.DEFAULT_LIMIT, true)) {
        long[] counted = indexes.numbers().sizes();
        for (int i = 0; i < counted.length; i++) {
          sizes.put(plain.get(i), counted[i]);
        }
      }
    }
    for (Path shard : shards) {
      if (!sizes.containsKey(shard)) {
        try (Stream stream = open(shard, suffix -> false, 1)) {
          sizes.put(shard, stream.skip(Long.MAX_VALUE));
        }
      }
    }
    return shards.stream().mapToLong(sizes::get).toArray();
  }

  @Override
  public int shards() {
    return shards.size();
  }

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

  /** Opens a shard; a plain file is read by position, so that unwanted fields are not read. */
  private static TarInput input(Path path) throws IOException {
    OpenFiles file = new OpenFiles(1);
    try {
      TarInput.OfFile plain = TarInput.owning(file, path);
      String compression = plain.compression();
      if (compression == null) {
        return plain;
      }
      plain.close();
      return TarInput.of(unpacked(path, compression));
    } catch (IOException | RuntimeException failure) {
      Closing.afterFailure(failure, file);
      throw failure;
    }
  }

  private static InputStream unpacked(Path path, String compression) throws IOException {
    InputStream packed = OpenFile.of(path).stream();
    try {
      InputStream buffered = new BufferedInputStream(packed, BUFFER_BYTES);
      InputStream unpacked =
          compression.equals("bzip2")
              ? Unpacked.by(in -> new BZip2CompressorInputStream(in, true), buffered)
              : Unpacked.of(compression, buffered, "io.feedline:loader-records");
      return new BufferedInputStream(unpacked, BUFFER_BYTES);
    } catch (EOFException | ZipException broken) {
      packed.close();
      throw FormatException.in(path, broken.getMessage(), broken);
    } catch (IOException | RuntimeException failure) {
      Closing.afterFailure(failure, packed);
      throw failure;
    }
  }

  @Override
  public String name() {
    return "WebDatasetStream(%s)".formatted(WebDataset.words(chosen));
  }

  @Override
  public String fingerprint() {
    if (chosen.isListed()) {
      return chosen.list().fingerprint("WebDatasetStream");
    }
    return "WebDatasetStream:"
        + shards.size()
        + ":"
        + Digest.ofLines(shards.stream().map(shard -> shard.getFileName().toString()));
  }

  private static final class Stream implements SampleStream<WebSample> {
    private final TarSampleReader reader;
    private final Path shard;
    private final TarInput input;

    Stream(TarSampleReader reader, Path shard, TarInput input) {
      this.reader = reader;
      this.shard = shard;
      this.input = input;
    }

    @Override
    public PendingSample<WebSample> next() throws IOException {
      try {
        WebSample sample = reader.next();
        return sample == null ? null : PendingSample.of(sample);
      } catch (EOFException | ZipException broken) {
        throw unpackable(broken);
      }
    }

    @Override
    public long skip(long samples) throws IOException {
      for (long skipped = 0; skipped < samples; skipped++) {
        try {
          if (reader.skip() == null) {
            return skipped;
          }
        } catch (EOFException | ZipException | FormatException deliveredBefore) {
          // When the epoch was first read, this failure was delivered in place of a sample.
        }
      }
      return samples;
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
}

package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes samples into the shards of a directory, its index, and {@code classes.json} if there are
 * classes.
 *
 * <p>A shard's header counts its samples, so a shard is put together in memory and written when it
 * is full; its description in the index is the checkpoint. Samples in memory when the writer is
 * closed without a commit are kept as a shard of another name, with which a later run continues;
 * samples in memory when the process is killed are lost.
 *
 * @param <S> the samples, each of which has a value for every column
 */
abstract class MdsShardWriter<S> extends StagedWriter<S> {

  private static final String SHA256 = "sha256";

  private final MdsWriter.Builder options;
  private final List<String> names;
  private final List<String> encodingNames;
  private final List<MdsEncoding> encodings;
  private final List<Integer> sizes;
  private final byte[] config;

  /** The shards that are written. */
  private final List<MdsShard> shards = new ArrayList<>();

  private long samplesInShards;

  /**
   * The samples of the shard in memory, one after the other, and the end of each. They are joined
   * once, when the shard is written.
   */
  private final List<byte[]> samples = new ArrayList<>();

  private final List<Integer> ends = new ArrayList<>();

  MdsShardWriter(StagedOutput output, MdsWriter.Builder options) throws IOException {
    super(output);
    this.options = options;
    this.names = List.copyOf(options.columns.keySet());
    this.encodingNames = List.copyOf(options.columns.values());
    this.encodings = encodingNames.stream().map(MdsEncoding::of).toList();
    this.sizes = encodings.stream().map(encoding -> Math.max(0, encoding.size())).toList();
    this.config =
        Json.write(
                MdsShard.config(
                    names,
                    encodingNames,
                    sizes,
                    options.compression,
                    options.hashes,
                    (long) options.shardBytes))
            .getBytes(StandardCharsets.UTF_8);
    if (!output.isComplete() && !output.isOfTask()) {
      for (Map<String, Object> checkpoint : output.checkpoints()) {
        addShard(written(output.path(), checkpoint));
      }
      takeUp(unfinished(shards.size()));
    }
  }

  /** Returns the shard of a checkpoint, whose file exists. */
  private static MdsShard written(Path directory, Map<String, Object> checkpoint)
      throws IOException {
    MdsShard shard;
    try {
      shard = MdsShard.parse(checkpoint);
    } catch (IllegalArgumentException e) {
      throw FormatException.in(directory, "a checkpoint is not a shard: " + e.getMessage(), e);
    }
    MdsShard.FileInfo stored = shard.stored();
    Path file = directory.resolve(stored.basename());
    long size = ObjectOutput.size(file);
    if (size != stored.bytes()) {
      throw FormatException.in(
          file,
          "%d bytes had been written, %s; restart to begin again"
              .formatted(stored.bytes(), size < 0 ? "but it is missing" : "but it has " + size));
    }
    return shard;
  }

  /** Returns the file that keeps the samples of a shard until it is full. */
  private Path unfinished(int shard) {
    return output().path().resolve(name(shard) + ".unfinished");
  }

  private static String name(int shard) {
    return String.format(Locale.ROOT, "shard.%05d.mds", shard);
  }

  private void takeUp(Path file) throws IOException {
    if (ObjectOutput.size(file) < 0) {
      return;
    }
    ByteBuffer shard;
    try (OpenFiles files = new OpenFiles(1)) {
      byte[] bytes = files.readAll(file, Integer.MAX_VALUE - 64);
      shard = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    int count = shard.getInt(0);
    int first = shard.getInt(4);
    for (int i = 1; i <= count; i++) {
      ends.add(shard.getInt(4 + 4 * i) - first);
    }
    samples.add(Arrays.copyOfRange(shard.array(), first, shard.capacity()));
  }

  /**
   * Returns a sample's values by column.
   *
   * @throws FormatException if the format cannot hold it
   */
  protected abstract Map<String, ?> stored(S sample) throws FormatException;

  @Override
  protected final long added() {
    return samplesInShards + ends.size();
  }

  @Override
  protected final void add(S sample) throws IOException {
    byte[] encoded;
    try {
      encoded = encode(stored(sample));
    } catch (FormatException impossible) {
      throw impossible.at(output().target() + ", sample " + added());
    }
    if (8L + config.length + encoded.length + 4 > Integer.MAX_VALUE / 2) {
      throw new FormatException(
          "%s, sample %d: it takes %d bytes; a sample of mds may take 1 GiB, whatever the size of a shard (shardBytes, --shard-size, is %d)"
              .formatted(output().target(), added(), encoded.length, options.shardBytes));
    }
    if (!ends.isEmpty() && shardBytes() + encoded.length + 4 > options.shardBytes) {
      flush();
    }
    samples.add(encoded);
    ends.add(sampleBytes() + encoded.length);
  }

  private long shardBytes() {
    return 8L + config.length + 4L * ends.size() + sampleBytes();
  }

  private int sampleBytes() {
    return ends.isEmpty() ? 0 : ends.get(ends.size() - 1);
  }

  private byte[] encode(Map<String, ?> sample) throws FormatException {
    if (sample.size() != names.size() || !sample.keySet().containsAll(names)) {
      throw new FormatException("it has columns %s, expected %s".formatted(sample.keySet(), names));
    }
    List<byte[]> values = new ArrayList<>();
    int bytes = 0;
    int head = 0;
    for (int i = 0; i < names.size(); i++) {
      byte[] value;
      try {
        value = encodings.get(i).encode(sample.get(names.get(i)));
        bytes = Math.addExact(bytes, value.length);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new FormatException(
            "column '%s', encoding '%s': %s"
                .formatted(names.get(i), encodingNames.get(i), e.getMessage()));
      }
      head += sizes.get(i) == 0 ? 4 : 0;
      values.add(value);
    }
    byte[] encoded = new byte[Math.addExact(head, bytes)];
    ByteBuffer out = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < names.size(); i++) {
      if (sizes.get(i) == 0) {
        out.putInt(values.get(i).length);
      }
    }
    values.forEach(out::put);
    return encoded;
  }

  /** Writes the shard that is in memory, and notes it. */
  private void flush() throws IOException {
    String name = name(shards.size());
    byte[] raw = shard();
    MdsShard.FileInfo rawInfo = info(name, raw);
    MdsShard.FileInfo zipInfo = null;
    byte[] stored = raw;
    if (options.compression != null) {
      ShardCompression compression = ShardCompression.of(options.compression);
      stored = compression.deflate(raw);
      name += "." + compression.extension();
      zipInfo = info(name, stored);
    }
    output().write(output().path().resolve(name), stored);
    MdsShard shard =
        new MdsShard(
            names,
            encodingNames,
            sizes,
            options.compression,
            hashes(),
            rawInfo,
            zipInfo,
            ends.size(),
            (long) options.shardBytes);
    if (output().isOfTask()) {
      String sha256 = shard.stored().hashes().get(SHA256);
      String description = Json.write(shard.toJson());
      output().ended(new PackedShard(name, ends.size(), stored.length, sha256, description));
    } else {
      output().checkpoint(shard.toJson(), true);
    }
    addShard(shard);
    samples.clear();
    ends.clear();
  }

  private void addShard(MdsShard shard) {
    shards.add(shard);
    samplesInShards += shard.samples();
  }

  private byte[] shard() {
    byte[] shard = new byte[Math.toIntExact(shardBytes())];
    ByteBuffer out = ByteBuffer.wrap(shard).order(ByteOrder.LITTLE_ENDIAN);
    int first = 8 + 4 * ends.size() + config.length;
    out.putInt(ends.size()).putInt(first);
    ends.forEach(end -> out.putInt(first + end));
    out.put(config);
    samples.forEach(out::put);
    return shard;
  }

  /**
   * Returns the checksums for the index: those of the options, which the shard's header names too,
   * and for a task's shard always the SHA-256, which the header does not name.
   */
  private List<String> hashes() {
    if (!output().isOfTask() || options.hashes.contains(SHA256)) {
      return options.hashes;
    }
    return Stream.concat(options.hashes.stream(), Stream.of(SHA256)).sorted().toList();
  }

  private MdsShard.FileInfo info(String name, byte[] data) {
    Map<String, String> sums = new TreeMap<>();
    for (String hash : hashes()) {
      sums.put(hash, Hashes.hex(Hashes.of(hash), data));
    }
    return new MdsShard.FileInfo(name, data.length, sums);
  }

  @Override
  protected final void finish() throws IOException {
    if (!ends.isEmpty()) {
      flush();
    }
    if (output().isOfTask()) {
      return;
    }
    if (!options.classes.isEmpty()) {
      new ClassList(options.classes, 0)
          .write(output(), output().path().resolve(ClassList.FILE_NAME));
    }
    for (int i = 0; i <= shards.size(); i++) {
      ObjectOutput.deleteIfExists(unfinished(i));
    }
    MdsIndex.write(output(), shards);
  }

  /** Keeps the shard that is in memory, where it can be continued. */
  @Override
  protected final void release() throws IOException {
    if (!ends.isEmpty() && !output().isOfTask()) {
      output().write(unfinished(shards.size()), shard());
      samples.clear();
      samplesInShards += ends.size();
      ends.clear();
    }
  }
}

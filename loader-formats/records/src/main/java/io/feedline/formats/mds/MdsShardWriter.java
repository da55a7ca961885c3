package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.ShardFiles;
import io.feedline.formats.store.internal.staging.ShardedWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A writer that collects a shard's samples in memory, since the header contains their number. */
abstract class MdsShardWriter<S> extends ShardedWriter<S> {

  private static final String SHA256 = "sha256";

  private final MdsDataset.WriterBuilder options;
  private final List<String> names;
  private final List<String> encodingNames;
  private final List<MdsEncoding> encodings;
  private final List<Integer> sizes;
  private final byte[] config;

  private final List<byte[]> samples = new ArrayList<>();

  private final List<Integer> ends = new ArrayList<>();

  MdsShardWriter(StagedOutput output, MdsDataset.WriterBuilder options) {
    super(
        output, ShardFiles.of(output, shard -> output.path().resolve(storedName(shard, options))));
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
  }

  private static String name(int shard) {
    return String.format(Locale.ROOT, "shard.%05d.mds", shard);
  }

  private static String storedName(int shard, MdsDataset.WriterBuilder options) {
    return options.compression == null
        ? name(shard)
        : name(shard) + "." + ShardCompression.of(options.compression).extension();
  }

  protected abstract Map<String, ?> stored(S sample) throws FormatException;

  @Override
  protected final long added() {
    return super.added() + ends.size();
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

  private void flush() throws IOException {
    List<byte[]> raw = new ArrayList<>(samples);
    raw.add(0, header());
    MdsShard.FileInfo rawInfo = info(name(shards().shard()), raw);
    MdsShard.FileInfo zipInfo = null;
    List<byte[]> stored = raw;
    if (options.compression != null) {
      stored = List.of(ShardCompression.of(options.compression).deflate(raw));
      zipInfo = info(storedName(shards().shard(), options), stored);
    }
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
    String sha256 = shard.stored().hashes().getOrDefault(SHA256, "");
    shards().write(ends.size(), stored, sha256, Json.write(shard.toJson()));
    samples.clear();
    ends.clear();
  }

  private byte[] header() {
    int first = 8 + 4 * ends.size() + config.length;
    ByteBuffer header = ByteBuffer.allocate(first).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(ends.size()).putInt(first);
    ends.forEach(end -> header.putInt(first + end));
    return header.put(config).array();
  }

  /** Returns the names of the index's checksums: those of the options; for tasks also SHA-256. */
  private List<String> hashes() {
    if (!output().isOfTask() || options.hashes.contains(SHA256)) {
      return options.hashes;
    }
    return Stream.concat(options.hashes.stream(), Stream.of(SHA256)).sorted().toList();
  }

  private MdsShard.FileInfo info(String name, List<byte[]> file) {
    Map<String, String> sums = new TreeMap<>();
    for (String hash : hashes()) {
      sums.put(hash, Hashes.hex(Hashes.of(hash), file));
    }
    long bytes = file.stream().mapToLong(piece -> piece.length).sum();
    return new MdsShard.FileInfo(name, bytes, sums);
  }

  @Override
  protected final void finish() throws IOException {
    if (!ends.isEmpty()) {
      flush();
    }
    shards().keepNames();
    if (output().isOfTask()) {
      return;
    }
    if (!options.classes.isEmpty()) {
      new ClassList(options.classes, 0)
          .write(output(), output().path().resolve(ClassList.FILE_NAME));
    }
    MdsIndex.write(output());
  }
}

package io.feedline.formats.mds;

import io.feedline.Json;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.formats.support.ClassList;
import io.feedline.formats.support.ImageKind;
import io.feedline.formats.support.WholeFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes an MDS dataset: images with their classes, or samples of any columns. Python's streaming
 * reads it.
 *
 * <p>A shard is put together in memory and written when it is full, so that it takes at most {@link
 * Builder#sizeLimit} bytes of heap, and some more while it is compressed. Its bytes depend on the
 * samples and the options alone.
 *
 * <p>Without {@code index.json}, which {@link #commit} writes last, a directory is no dataset.
 * Until then the shards that are there are noted in {@code index.json.partial}. A run that was
 * interrupted is continued by opening the same output again, with the same options: {@link
 * #written} then tells how many samples are in whole shards. Those that were in memory are to be
 * written again, also after a {@link #close} without a commit.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 */
public final class MdsWriter implements ImageStoreWriter {

  /** As in streaming: 64 MiB. */
  public static final int DEFAULT_SIZE_LIMIT = 1 << 26;

  private enum State {
    OPEN,
    COMMITTED,
    FAILED,
    CLOSED
  }

  private final Path directory;
  private final List<String> names;
  private final List<String> encodingNames;
  private final List<MdsEncoding> encodings;
  private final List<Integer> sizes;
  private final String compressionName;
  private final Compression compression;
  private final List<String> hashes;
  private final int sizeLimit;
  private final List<String> classes;
  private final byte[] config;
  private final ShardJournal journal;
  private final List<MdsShard> shards;

  private State state = State.OPEN;
  private ByteArrayOutputStream samples = new ByteArrayOutputStream();
  private final List<Integer> ends = new ArrayList<>();
  private long written;

  private MdsWriter(Builder builder, List<MdsEncoding> encodings) throws IOException {
    this.directory = builder.directory;
    this.names = List.copyOf(builder.columns.keySet());
    this.encodingNames = List.copyOf(builder.columns.values());
    this.encodings = encodings;
    this.sizes = encodings.stream().map(encoding -> Math.max(0, encoding.size())).toList();
    this.compressionName = builder.compression;
    this.compression = compressionName == null ? null : Compression.of(compressionName);
    this.hashes = builder.hashes;
    this.sizeLimit = builder.sizeLimit;
    this.classes = builder.classes;
    Map<String, Object> description =
        MdsShard.config(
            names, encodingNames, sizes, compressionName, hashes, (long) builder.sizeLimit);
    this.config = Json.write(description).getBytes(StandardCharsets.UTF_8);
    this.journal = ShardJournal.open(directory, description);
    this.shards = new ArrayList<>(journal.shards());
    this.written = shards.stream().mapToLong(MdsShard::samples).sum();
  }

  /**
   * Options for a dataset.
   *
   * @param directory where the shards and the index go; made if it does not exist
   */
  public static Builder builder(Path directory) {
    return new Builder(directory);
  }

  @Override
  public long written() {
    return written;
  }

  /**
   * Adds an image: its bytes as column {@code image}, its class as {@code label}, its key as
   * {@code key}.
   */
  @Override
  public void write(EncodedImage image) throws IOException {
    ImageKind kind = ImageKind.of(image.bytes());
    int column = names.indexOf("image");
    String encoding = column < 0 ? "" : encodingNames.get(column).replaceFirst(":.*", "");
    if ((encoding.equals("jpeg") && kind != ImageKind.JPEG)
        || (encoding.equals("png") && kind != ImageKind.PNG)) {
      throw refused(
          "image '%s' is %s, but the column 'image' is of encoding '%s'; images(\"bytes\")"
                  .formatted(image.key(), kind, encoding)
              + " takes all kinds");
    }
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("image", image.bytes());
    sample.put("key", image.key());
    sample.put("label", (long) image.label());
    write(sample);
  }

  /**
   * Adds a sample behind those that were written before.
   *
   * @param sample a value for each column: what {@link MdsDataset} gives for its encoding, but for
   *     images, which are given as their encoded bytes; integers of any Java type
   * @throws MdsException if a column is missing, unknown, or cannot hold its value
   * @throws IOException if a shard cannot be written; nothing can be written afterwards
   * @throws IllegalStateException if the writer is committed, closed or has failed
   */
  public void write(Map<String, ?> sample) throws IOException {
    requireOpen();
    byte[] encoded = encode(sample);
    long fixed = 8L + config.length + encoded.length + 4;
    if (fixed > Integer.MAX_VALUE / 2) {
      throw refused(
          "the sample takes %d bytes, at most 1 GiB is written".formatted(encoded.length));
    }
    try {
      if (!ends.isEmpty() && shardBytes() + encoded.length + 4 > sizeLimit) {
        flush();
      }
    } catch (IOException | RuntimeException failure) {
      state = State.FAILED;
      throw failure;
    }
    samples.writeBytes(encoded);
    ends.add(samples.size());
    written++;
  }

  private long shardBytes() {
    return 8L + config.length + 4L * ends.size() + samples.size();
  }

  private byte[] encode(Map<String, ?> sample) throws MdsException {
    if (sample.size() != names.size() || !sample.keySet().containsAll(names)) {
      throw refused("it has columns %s, expected %s".formatted(sample.keySet(), names));
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
        throw refused(
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

  private MdsException refused(String reason) {
    return new MdsException(
        "%s: sample %d cannot be written: %s".formatted(directory, written, reason));
  }

  private void flush() throws IOException {
    String name = "shard.%05d.mds".formatted(shards.size());
    byte[] raw = shard();
    MdsShard.FileInfo rawInfo = info(name, raw);
    MdsShard.FileInfo zipInfo = null;
    byte[] stored = raw;
    if (compression != null) {
      stored = compression.deflate(raw);
      name += "." + compression.extension();
      zipInfo = info(name, stored);
    }
    WholeFile.write(directory.resolve(name), stored);
    MdsShard shard =
        new MdsShard(
            names,
            encodingNames,
            sizes,
            compressionName,
            hashes,
            rawInfo,
            zipInfo,
            ends.size(),
            (long) sizeLimit);
    journal.add(shard);
    shards.add(shard);
    samples = new ByteArrayOutputStream();
    ends.clear();
  }

  private byte[] shard() {
    byte[] shard = new byte[Math.toIntExact(shardBytes())];
    ByteBuffer out = ByteBuffer.wrap(shard).order(ByteOrder.LITTLE_ENDIAN);
    int first = 8 + 4 * ends.size() + config.length;
    out.putInt(ends.size()).putInt(first);
    ends.forEach(end -> out.putInt(first + end));
    out.put(config).put(samples.toByteArray());
    return shard;
  }

  private MdsShard.FileInfo info(String name, byte[] data) {
    Map<String, String> sums = new TreeMap<>();
    for (String hash : hashes) {
      MessageDigest digest = Hashes.of(hash);
      sums.put(hash, Hashes.hex(digest, data));
    }
    return new MdsShard.FileInfo(name, data.length, sums);
  }

  @Override
  public void commit() throws IOException {
    requireOpen();
    try {
      if (!ends.isEmpty()) {
        flush();
      }
      if (!classes.isEmpty()) {
        new ClassList(classes, 0).write(directory.resolve(ClassList.FILE_NAME));
      }
      MdsIndex.write(directory, shards);
      journal.close();
      journal.delete();
      state = State.COMMITTED;
    } catch (IOException | RuntimeException failure) {
      state = State.FAILED;
      throw failure;
    }
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException("the writer of %s is %s".formatted(directory, state));
    }
  }

  @Override
  public void close() throws IOException {
    state = state == State.COMMITTED ? state : State.CLOSED;
    samples = new ByteArrayOutputStream();
    journal.close();
  }

  /** Options; see {@link MdsWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    private Map<String, String> columns;
    private String compression;
    private List<String> hashes = List.of();
    private int sizeLimit = DEFAULT_SIZE_LIMIT;
    private List<String> classes = List.of();

    private Builder(Path directory) {
      this.directory = directory;
      images("jpeg");
    }

    /**
     * Columns for images, which is the default: {@code image}, {@code key} and {@code label}.
     *
     * @param encoding of the images: {@code jpeg} by default, {@code png}, or {@code bytes} for
     *     any kinds
     */
    public final Builder images(String encoding) {
      return columns(Map.of("image", encoding, "key", "str", "label", "int"));
    }

    /**
     * The encodings of the columns by their names, as streaming names them; written in the order of
     * the names.
     */
    public final Builder columns(Map<String, String> columns) {
      this.columns = new TreeMap<>(columns);
      return this;
    }

    /**
     * The names of the classes, by index: put into {@code classes.json} beside the index, for
     * {@link MdsImages}. Streaming itself knows no such file, and leaves it alone. None by
     * default.
     */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /** How shards are compressed: {@code gz}, {@code zstd}, {@code zstd:7}, ...; not by default. */
    public Builder compression(String compression) {
      this.compression = compression;
      return this;
    }

    /** Which checksums are written, for example {@code sha1}, {@code sha256}; none by default. */
    public Builder hashes(String... hashes) {
      this.hashes = List.of(hashes).stream().sorted().distinct().toList();
      return this;
    }

    /**
     * How large a shard becomes at most, in bytes, before it is compressed; {@link
     * #DEFAULT_SIZE_LIMIT} by default. One with a single sample may be larger.
     */
    public Builder sizeLimit(int sizeLimit) {
      this.sizeLimit = sizeLimit;
      return this;
    }

    /**
     * Makes the directory, or goes on where an interrupted run ended.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws FileAlreadyExistsException if the output is there and finished
     * @throws MdsException if an unfinished output is damaged, or has other options
     * @throws IOException if a file cannot be opened
     */
    public MdsWriter open() throws IOException {
      if (columns.isEmpty() || sizeLimit < 1) {
        throw new IllegalArgumentException(
            "there must be a column and a sizeLimit of 1 or more, were %s and %d"
                .formatted(columns, sizeLimit));
      }
      List<MdsEncoding> encodings = new ArrayList<>();
      for (String encoding : columns.values()) {
        encodings.add(MdsEncoding.of(encoding));
      }
      if (compression != null) {
        Compression.of(compression);
      }
      for (String hash : hashes) {
        if (Hashes.of(hash) == null) {
          throw new IllegalArgumentException("the JDK has no hash '" + hash + "'");
        }
      }
      Files.createDirectories(directory);
      Path index = directory.resolve(MdsIndex.NAME);
      if (Files.exists(index)) {
        throw new FileAlreadyExistsException(
            index.toString(), null, "the output is finished; delete it, or choose another");
      }
      return new MdsWriter(this, encodings);
    }
  }
}

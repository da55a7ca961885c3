package io.feedline.formats.webdataset;

import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageStoreWriter;
import io.feedline.formats.support.ClassList;
import io.feedline.formats.support.ImageKind;
import io.feedline.formats.support.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Writes WebDataset shards: images with their classes, or any samples.
 *
 * <p>An image becomes two entries, {@code KEY.cls} with the class in decimal (-1 for none) and
 * {@code KEY.jpg}, or what its bytes are. Fields are sorted by their suffix. The shards' bytes
 * depend on the samples and the options alone, so the same input gives the same files, whether it
 * was interrupted or not.
 *
 * <p>Shards have {@code .partial} added to their names until {@link #commit}. A run that was
 * interrupted is continued by opening the same output again: what its end tore is cut off, {@link
 * #written} tells what is left.
 *
 * <p>Not thread-safe. Whoever opened it closes it; closing twice is allowed.
 */
public final class WebDatasetWriter implements ImageStoreWriter {

  /** As in Python's webdataset. */
  public static final long DEFAULT_MAX_SAMPLES = 100_000;

  /** As in Python's webdataset: 3 GB. */
  public static final long DEFAULT_MAX_BYTES = 3_000_000_000L;

  private enum State {
    OPEN,
    COMMITTED,
    FAILED,
    CLOSED
  }

  private final ShardNames names;
  private final long maxSamples;
  private final long maxBytes;
  private final UnaryOperator<String> keys;
  private final List<String> classes;
  private State state = State.OPEN;

  /** The number of the shard that is being written. */
  private int shard;

  /** The shard that is being written, or null before its first sample. */
  private FileChannel out;

  private long samplesInShard;
  private String lastKey;
  private long written;

  private WebDatasetWriter(Builder builder) {
    this.names = builder.names;
    this.maxSamples = builder.maxSamples;
    this.maxBytes = builder.maxBytes;
    this.keys = builder.keys;
    this.classes = builder.classes;
  }

  /**
   * Options for shards in a directory.
   *
   * @param directory made if it does not exist
   * @param pattern the shards' names, with one {@code %d}, for example {@code train-%06d.tar}
   * @throws IllegalArgumentException if the pattern does not give each shard a name of its own
   */
  public static Builder builder(Path directory, String pattern) {
    return new Builder(new ShardNames(directory, pattern));
  }

  @Override
  public long written() {
    return written;
  }

  @Override
  public void write(EncodedImage image) throws IOException {
    ImageKind kind = ImageKind.of(image.bytes());
    if (kind == ImageKind.UNKNOWN) {
      throw new WebDatasetException(
          "%s: '%s' has %d bytes that are no known kind of image, so it has no suffix"
              .formatted(names.path(shard), image.key(), image.bytes().length));
    }
    byte[] label = Integer.toString(image.label()).getBytes(StandardCharsets.US_ASCII);
    write(image.key(), Map.of("cls", label, kind.suffix(), image.bytes()));
  }

  /**
   * Adds a sample behind those that were written before.
   *
   * @param key what the names of its entries have in common: no dot behind the last slash, not the
   *     key of the sample before
   * @param fields at least one, by suffix, in lower case and without a dot in front
   * @throws WebDatasetException if key and suffixes would not be read again as what they are
   * @throws IOException if it cannot be written; nothing can be written afterwards
   * @throws IllegalStateException if the writer is committed, closed or has failed
   */
  public void write(String key, Map<String, byte[]> fields) throws IOException {
    requireOpen();
    String effective = keys.apply(key);
    List<ByteBuffer> entries = new ArrayList<>();
    long bytes = 0;
    for (Map.Entry<String, byte[]> field : new TreeMap<>(fields).entrySet()) {
      String name = effective + "." + field.getKey();
      check(key, effective, field.getKey(), name);
      TarWriter.add(name, field.getValue(), entries);
    }
    if (entries.isEmpty()) {
      throw refused(key, "a sample must have at least one field");
    }
    for (ByteBuffer entry : entries) {
      bytes += entry.remaining();
    }
    try {
      if (isFull(bytes)) {
        finishShard();
        shard++;
      }
      if (out == null) {
        openShard(0);
      }
      if (effective.equals(lastKey)) {
        throw refused(key, "the sample before it has the same key, they would be one");
      }
      writeFully(entries.toArray(ByteBuffer[]::new));
    } catch (WebDatasetException refused) {
      throw refused;
    } catch (IOException failure) {
      state = State.FAILED;
      // The system's own message, such as that the disk is full, names no file.
      throw new IOException(
          "%s: sample %d '%s' cannot be written: %s"
              .formatted(
                  UnfinishedShards.partial(names.path(shard)),
                  written,
                  Names.shown(effective),
                  failure.getMessage()),
          failure);
    }
    lastKey = effective;
    samplesInShard++;
    written++;
  }

  private void check(String key, String effective, String suffix, String name)
      throws WebDatasetException {
    if (!new Names.KeyAndSuffix(effective, suffix).equals(Names.split(name))) {
      throw refused(
          key,
          "its name '%s' would not be read as key '%s' and suffix '%s': a key has no dot behind the"
                  .formatted(Names.shown(name), Names.shown(effective), Names.shown(suffix))
              + " last slash. The option keys(...) changes keys, for example with"
              + " key -> key.replace('.', '_')");
    }
    boolean printable = name.codePoints().noneMatch(c -> c < ' ' || c == 0x7F);
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    if (!printable || !new String(encoded, StandardCharsets.UTF_8).equals(name)) {
      throw refused(key, "it has characters that no name should have");
    }
    if (name.startsWith("/") || List.of(name.split("/", -1)).contains("..")) {
      throw refused(key, "who unpacks the shard would write outside of their directory");
    }
  }

  private WebDatasetException refused(String key, String reason) {
    return new WebDatasetException(
        "%s: sample %d '%s' cannot be written: %s"
            .formatted(names.path(shard), written, Names.shown(key), reason));
  }

  private boolean isFull(long more) throws IOException {
    return out != null
        && samplesInShard > 0
        && (samplesInShard >= maxSamples || out.position() + more + TarWriter.END_BYTES > maxBytes);
  }

  private void openShard(long end) throws IOException {
    Path partial = UnfinishedShards.partial(names.path(shard));
    FileChannel channel =
        FileChannel.open(partial, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      channel.truncate(end).position(end);
    } catch (IOException | RuntimeException failure) {
      channel.close();
      throw failure;
    }
    out = channel;
  }

  private void writeFully(ByteBuffer... buffers) throws IOException {
    long left = 0;
    for (ByteBuffer buffer : buffers) {
      left += buffer.remaining();
    }
    while (left > 0) {
      left -= out.write(buffers);
    }
  }

  private void finishShard() throws IOException {
    try (FileChannel finished = out) {
      writeFully(ByteBuffer.allocate(TarWriter.END_BYTES));
      finished.force(true);
    } finally {
      out = null;
    }
    samplesInShard = 0;
    lastKey = null;
  }

  @Override
  public void commit() throws IOException {
    requireOpen();
    try {
      if (out == null) {
        openShard(0);
      }
      finishShard();
      if (!classes.isEmpty()) {
        new ClassList(classes, 0).write(names.directory().resolve(ClassList.FILE_NAME));
      }
      // Without its first shard the output is not whole.
      for (int i = shard; i >= 0; i--) {
        WholeFile.moveToNew(UnfinishedShards.partial(names.path(i)), names.path(i));
      }
      state = State.COMMITTED;
    } catch (IOException | RuntimeException failure) {
      state = State.FAILED;
      throw failure;
    }
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException("the writer of %s is %s".formatted(names, state));
    }
  }

  /** Ends the shard that is being written, so that all of its samples are there to go on from. */
  @Override
  public void close() throws IOException {
    State before = state;
    state = before == State.COMMITTED ? before : State.CLOSED;
    if (out == null) {
      return;
    }
    if (before == State.OPEN) {
      finishShard();
    } else {
      FileChannel failed = out;
      out = null;
      failed.close();
    }
  }

  /** Options; see {@link WebDatasetWriter#builder}. Not thread-safe. */
  public static final class Builder {
    private final ShardNames names;
    private long maxSamples = DEFAULT_MAX_SAMPLES;
    private long maxBytes = DEFAULT_MAX_BYTES;
    private UnaryOperator<String> keys = UnaryOperator.identity();
    private List<String> classes = List.of();

    private Builder(ShardNames names) {
      this.names = names;
    }

    /** How many samples a shard has at most; {@link #DEFAULT_MAX_SAMPLES} by default. */
    public Builder maxSamples(long maxSamples) {
      this.maxSamples = maxSamples;
      return this;
    }

    /**
     * How large a shard becomes at most, in bytes; {@link #DEFAULT_MAX_BYTES} by default. One with
     * a single sample may be larger.
     */
    public Builder maxBytes(long maxBytes) {
      this.maxBytes = maxBytes;
      return this;
    }

    /** What becomes of keys before they are written; they stay what they are by default. */
    public Builder keys(UnaryOperator<String> keys) {
      this.keys = Objects.requireNonNull(keys, "keys");
      return this;
    }

    /** The names of the classes, by index: written as {@code classes.json} beside the shards. */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /**
     * Makes the directory, or goes on where an interrupted run ended.
     *
     * @throws IllegalArgumentException if an option has an impossible value
     * @throws FileAlreadyExistsException if the output is there and finished, or the directory has
     *     shards with other classes
     * @throws IOException if an unfinished output is damaged, or a file cannot be opened
     */
    public WebDatasetWriter open() throws IOException {
      if (maxSamples < 1 || maxBytes < 1) {
        throw new IllegalArgumentException(
            "maxSamples and maxBytes must be 1 or more, were %d and %d"
                .formatted(maxSamples, maxBytes));
      }
      Files.createDirectories(names.directory());
      List<String> present =
          ClassList.readIfPresent(names.directory().resolve(ClassList.FILE_NAME)).names();
      if (!classes.isEmpty() && !present.isEmpty() && !classes.equals(present)) {
        throw new FileAlreadyExistsException(
            names.directory().resolve(ClassList.FILE_NAME).toString(),
            null,
            "it has %d other classes; write to another directory".formatted(present.size()));
      }
      UnfinishedShards unfinished = UnfinishedShards.find(names);
      WebDatasetWriter writer = new WebDatasetWriter(this);
      if (unfinished.shards() > 0) {
        writer.shard = unfinished.shards() - 1;
        writer.samplesInShard = unfinished.samplesInLast();
        writer.lastKey = unfinished.lastKey();
        writer.written = unfinished.samples();
        writer.openShard(unfinished.end());
      }
      return writer;
    }
  }
}

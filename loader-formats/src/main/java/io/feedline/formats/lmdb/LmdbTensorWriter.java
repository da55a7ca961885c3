package io.feedline.formats.lmdb;

import io.feedline.DType;
import io.feedline.Shape;
import io.feedline.TensorSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * Packs tuples of tensors into an LMDB database, which {@link LmdbTensors} reads: each sample an
 * LZ4 frame, cut so that each tensor can be decompressed straight to where it is wanted.
 *
 * <pre>{@code
 * try (LmdbTensorWriter writer = LmdbTensorWriter.open(Path.of("train.lmdb"))) {
 *   for (long i = writer.written(); i < samples.size(); i++) {
 *     writer.write(Map.of("image", samples.get(i).image(), "label", label(i)));
 *   }
 *   writer.commit();
 * }
 * }</pre>
 *
 * <p>The first sample decides which tensors there are: their names (sorted, unless its map has an
 * order), dtypes and numbers of axes. Lengths may differ from sample to sample.
 *
 * <p>The database is built as {@code train.lmdb.partial} and gets its name when it is whole; its
 * map grows by itself. Samples are on the disk after each batch of at most 1024 samples or 32 MiB;
 * an interrupted run goes on behind the last of these. When the disk is full, what was committed
 * can be continued.
 *
 * <p>Not thread-safe; one writer at a time, of all processes. Needs {@code org.lmdbjava:lmdbjava}
 * and {@code at.yawk.lz4:lz4-java}.
 */
public final class LmdbTensorWriter implements AutoCloseable {

  private final UnfinishedDatabase database;
  private final Lz4FrameWriter frames;
  private final ByteSink frame = new ByteSink();
  private ByteBuffer elements = ByteBuffer.allocate(0);

  private LmdbTensorWriter(UnfinishedDatabase database, Lz4FrameWriter frames) {
    this.database = database;
    this.frames = frames;
  }

  /**
   * Begins a database, or goes on with one that was interrupted; frames have checksums and are
   * compressed fast.
   *
   * @param path the directory that the database becomes; must not exist
   * @throws java.nio.file.FileAlreadyExistsException if the database exists
   * @throws IOException if it cannot be written, another process writes it, or the interrupted one
   *     holds no tensors
   * @throws IllegalStateException if lmdbjava or lz4-java is absent
   */
  public static LmdbTensorWriter open(Path path) throws IOException {
    return open(path, Lz4FrameWriter.of());
  }

  /**
   * Begins a database, or goes on with one that was interrupted.
   *
   * @param path the directory that the database becomes; must not exist
   * @param frames how samples are compressed
   * @throws java.nio.file.FileAlreadyExistsException if the database exists
   * @throws IOException if it cannot be written, another process writes it, or the interrupted one
   *     holds no tensors
   * @throws IllegalStateException if lmdbjava is absent
   */
  public static LmdbTensorWriter open(Path path, Lz4FrameWriter frames) throws IOException {
    Objects.requireNonNull(frames, "frames");
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalStateException("tensors are stored little-endian, this machine is not");
    }
    Libraries.requireLmdb();
    Metadata plan = new Metadata(Metadata.Kind.TENSORS, 0, List.of(), List.of());
    return new LmdbTensorWriter(UnfinishedDatabase.open(path, plan), frames);
  }

  /** How many samples have been written, those of an interrupted run included. */
  public long written() {
    return database.written();
  }

  /**
   * Adds a sample behind those that were written before. Its tensors write themselves, one after
   * the other; nothing of them is kept.
   *
   * @param sample the tensors by name
   * @throws IOException if it cannot be written
   * @throws IllegalArgumentException if it does not have the tensors of the samples before
   * @throws IllegalStateException if the writer is committed or closed
   * @throws Exception if a tensor cannot write itself
   */
  public void write(Map<String, ? extends TensorSource> sample) throws Exception {
    List<TensorField> before = database.plan().fields();
    boolean first = database.written() == 0;
    List<TensorField> fields = first ? fieldsOf(sample) : widened(before, sample);
    List<DType> types = new ArrayList<>();
    List<Shape> shapes = new ArrayList<>();
    long bytes = 0;
    for (TensorField field : fields) {
      TensorSource tensor = sample.get(field.name());
      types.add(tensor.dtype());
      shapes.add(tensor.shape());
      bytes += Math.multiplyExact(tensor.shape().elements(), tensor.dtype().bytes());
    }
    TensorTuple tuple = new TensorTuple(true, types, shapes);
    List<ByteBuffer> parts = new ArrayList<>();
    parts.add(header(tuple));
    ByteBuffer room = room(bytes);
    for (int i = 0; i < fields.size(); i++) {
      int length = (int) (shapes.get(i).elements() * types.get(i).bytes());
      ByteBuffer part = room.slice(room.position(), length).order(ByteOrder.nativeOrder());
      sample.get(fields.get(i).name()).writeTo(part);
      parts.add(part.clear());
      room.position(room.position() + length);
    }
    frame.clear();
    frames.compress(parts, frame);
    if (!fields.equals(before)) {
      database.changePlan(database.plan().withFields(fields));
    }
    database.add(frame.written());
  }

  private static ByteBuffer header(TensorTuple tuple) {
    ByteBuffer header = ByteBuffer.allocate(tuple.headerBytes()).order(ByteOrder.LITTLE_ENDIAN);
    tuple.put(header);
    return header.flip();
  }

  private ByteBuffer room(long bytes) {
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "the sample takes %d bytes; one has less than 2 GiB".formatted(bytes));
    }
    if (elements.capacity() < bytes) {
      elements = ByteBuffer.allocateDirect((int) bytes);
    }
    return elements.clear();
  }

  private static List<TensorField> fieldsOf(Map<String, ? extends TensorSource> sample) {
    boolean ordered = sample instanceof LinkedHashMap || sample instanceof SortedMap;
    List<TensorField> fields = new ArrayList<>();
    (ordered ? sample.keySet().stream() : sample.keySet().stream().sorted())
        .forEach(
            name -> {
              TensorSource tensor = sample.get(name);
              fields.add(TensorField.of(name, tensor.dtype(), tensor.shape()));
            });
    if (fields.isEmpty() || fields.size() > TensorTuple.MAX_TENSORS) {
      throw new IllegalArgumentException(
          "a sample has 1 to %d tensors, not %d".formatted(TensorTuple.MAX_TENSORS, fields.size()));
    }
    return fields;
  }

  private static List<TensorField> widened(
      List<TensorField> fields, Map<String, ? extends TensorSource> sample) {
    List<TensorField> wider = new ArrayList<>();
    for (TensorField field : fields) {
      TensorSource tensor = sample.get(field.name());
      if (tensor == null || sample.size() != fields.size()) {
        throw new IllegalArgumentException(
            "the sample has the entries %s, those before have %s"
                .formatted(sample.keySet(), fields.stream().map(TensorField::name).toList()));
      }
      wider.add(field.widened(tensor.dtype(), tensor.shape()));
    }
    return wider;
  }

  /**
   * Makes the database whole and gives it its name. Nothing can be written afterwards.
   *
   * @throws IOException if that fails; the database is then as after an interruption
   * @throws IllegalStateException if the writer is committed or closed
   */
  public void commit() throws IOException {
    database.commit();
  }

  /**
   * Releases the database; may be called twice. Without {@link #commit} it stays unfinished, and
   * can be continued.
   */
  @Override
  public void close() throws IOException {
    database.close();
  }
}

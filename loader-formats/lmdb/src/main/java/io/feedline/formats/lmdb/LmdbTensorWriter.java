package io.feedline.formats.lmdb;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.JsonMembers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * A writer of tuples of tensors into an LMDB database, which {@link LmdbTensors} reads: each sample
 * is an LZ4 frame, divided into blocks so that each tensor can be decompressed directly into its
 * target.
 */
final class LmdbTensorWriter {

  private LmdbTensorWriter() {}

  static StoreWriter<Map<String, ? extends TensorSource>> open(Path path) throws IOException {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IllegalStateException("tensors are stored little-endian, this machine is not");
    }
    return LmdbWriter.open(path, Map.of("format", "lmdb tensors"), false, Tensors::new);
  }

  /** A writer that derives the fields from samples, and saves each change in a checkpoint. */
  private static final class Tensors extends LmdbWriter<Map<String, ? extends TensorSource>> {

    private List<TensorField> fields = List.of();
    private ByteBuffer elements = ByteBuffer.allocate(0);

    Tensors(StagedOutput output) throws IOException {
      super(output);
      for (Map<String, Object> checkpoint : output.checkpoints()) {
        fields = Metadata.fieldsOf(new JsonMembers("a checkpoint", checkpoint));
      }
    }

    @Override
    protected void put(Map<String, ? extends TensorSource> sample, ByteSink out)
        throws IOException {
      List<TensorField> now;
      try {
        now = added() == 0 ? fieldsOf(sample) : widened(fields, sample);
        Lz4FrameWriter.compress(parts(now, sample), out);
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        throw new FormatException(
            "%s, sample %d: %s".formatted(output().target(), added(), e.getMessage()), e);
      }
      if (!now.equals(fields)) {
        // The checkpoint is on the disk before any value that needs it.
        output().checkpoint(Map.of("fields", Metadata.fieldsAsJson(now)), true);
        fields = now;
      }
    }

    private List<ByteBuffer> parts(
        List<TensorField> fields, Map<String, ? extends TensorSource> sample) throws Exception {
      List<DType> types = new ArrayList<>();
      List<Shape> shapes = new ArrayList<>();
      long bytes = 0;
      for (TensorField field : fields) {
        TensorSource tensor = sample.get(field.name());
        types.add(tensor.dtype());
        shapes.add(tensor.shape());
        bytes += Math.multiplyExact(tensor.shape().elements(), tensor.dtype().bytes());
      }
      List<ByteBuffer> parts = new ArrayList<>();
      parts.add(header(new TensorTuple(true, types, shapes)));
      ByteBuffer room = room(bytes);
      for (int i = 0; i < fields.size(); i++) {
        int length = (int) (shapes.get(i).elements() * types.get(i).bytes());
        ByteBuffer part = room.slice(room.position(), length).order(ByteOrder.nativeOrder());
        sample.get(fields.get(i).name()).writeTo(part);
        parts.add(part.clear());
        room.position(room.position() + length);
      }
      return parts;
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
            "a sample has 1 to %d tensors, not %d"
                .formatted(TensorTuple.MAX_TENSORS, fields.size()));
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

    @Override
    protected Metadata metadata() {
      return new Metadata(Metadata.Kind.TENSORS, 0, List.of(), fields);
    }
  }
}

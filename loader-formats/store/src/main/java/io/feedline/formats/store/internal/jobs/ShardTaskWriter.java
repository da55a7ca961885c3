package io.feedline.formats.store.internal.jobs;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import io.feedline.internal.ClassNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** A task's writer, which creates files only when the first sample is written. */
final class ShardTaskWriter implements TaskWriter {

  private enum State {
    OPEN,
    FAILED,
    COMMITTED,
    CLOSED
  }

  private final Path directory;
  private final Map<String, FieldType> fields;
  private final StagedOutput.Opener<StagedWriter<TaskSample>> opener;

  /** The output; like the writer, null before the first sample. */
  private StagedOutput output;

  private StagedWriter<TaskSample> writer;
  private State state = State.OPEN;

  ShardTaskWriter(
      Path directory,
      Map<String, FieldType> fields,
      StagedOutput.Opener<StagedWriter<TaskSample>> opener) {
    this.directory = directory;
    this.fields = fields;
    this.opener = opener;
  }

  @Override
  public void write(EncodedImage image, Map<String, Object> values) throws IOException {
    requireOpen();
    TaskSample sample = checked(image, values);
    try {
      if (writer == null) {
        open();
      }
      writer.write(sample);
    } catch (FormatException rejected) {
      throw rejected;
    } catch (IOException | RuntimeException | Error failure) {
      state = State.FAILED;
      throw failure;
    }
  }

  private void open() throws IOException {
    output = StagedOutput.forTask(directory);
    writer = opener.open(output);
  }

  private TaskSample checked(EncodedImage image, Map<String, Object> values)
      throws FormatException {
    Map<String, Object> present = new LinkedHashMap<>();
    TaskSample sample = new TaskSample(image, present);
    for (Map.Entry<String, Object> each : values.entrySet()) {
      String name = each.getKey();
      FieldType type = fields.get(name);
      if (type == null) {
        throw sample.refused(
            name, "is none of those that the job has: " + new TreeSet<>(fields.keySet()));
      }
      if (each.getValue() != null) {
        require(sample, name, type, each.getValue());
        present.put(name, each.getValue());
      }
    }
    return sample;
  }

  private static void require(TaskSample sample, String name, FieldType type, Object value)
      throws FormatException {
    Class<?> expected =
        switch (type) {
          case TEXT -> String.class;
          case INTEGER -> Long.class;
          case REAL -> Double.class;
          case BYTES -> byte[].class;
        };
    if (!expected.isInstance(value)) {
      throw sample.refused(
          name,
          "is of type %s, which takes a %s, was %s"
              .formatted(type, expected.getSimpleName(), ClassNames.ofType(value)));
    }
    if (value instanceof String text && !StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
      throw sample.refused(name, "has half of a surrogate pair, which UTF-8 cannot hold");
    }
  }

  @Override
  public List<PackedShard> shards() {
    return output == null ? List.of() : output.shards();
  }

  @Override
  public List<PackedShard> commit() throws IOException {
    requireOpen();
    state = State.FAILED;
    if (writer != null) {
      writer.commit();
    }
    state = State.COMMITTED;
    return shards();
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "the writer of %s %s"
              .formatted(
                  directory,
                  switch (state) {
                    case FAILED -> "has failed; the task must be done again by another attempt";
                    case COMMITTED -> "is committed";
                    default -> "is closed";
                  }));
    }
  }

  @Override
  public void close() throws IOException {
    if (state == State.COMMITTED || state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    if (output == null) {
      return;
    }
    StagedOutput closing = output;
    try (closing) {
      if (writer != null) {
        writer.close();
      }
    } finally {
      StoreDirectory.deleteTree(directory);
    }
  }

  @Override
  public String toString() {
    return directory.toString();
  }
}

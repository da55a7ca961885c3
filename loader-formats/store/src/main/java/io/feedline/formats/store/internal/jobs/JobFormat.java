package io.feedline.formats.store.internal.jobs;

import io.feedline.data.Quarantine;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.PackingJob.TaskFormat;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The base class of the formats' {@link TaskFormat}s. Has no state; thread-safe. */
public abstract class JobFormat implements TaskFormat {

  public static final List<String> INDEXES = List.of("index.json", ShardList.NAME);

  private static final Set<String> TAKEN = Set.of("image", "key", "label");

  private final String name;

  protected JobFormat(String name) {
    this.name = name;
  }

  final String name() {
    return name;
  }

  /** Checks the options and the sorted fields; returns the function that opens a task's writer. */
  protected abstract StagedOutput.Opener<StagedWriter<TaskSample>> opener(
      Path directory, Packing packing, Map<String, FieldType> fields) throws IOException;

  public final StoreWriter<EncodedImage> create(Path directory, Packing packing)
      throws IOException {
    StagedOutput.Opener<StagedWriter<TaskSample>> opener = opener(directory, packing, Map.of());
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        name,
        packing,
        output -> new OneTaskWriter(opener.open(output)));
  }

  protected String indexName() {
    return ShardList.NAME;
  }

  protected byte[] bytes(JobIndex index) {
    ShardList list =
        new ShardList(index.format(), index.classes(), index.options(), index.shards());
    Map<String, Object> json = list.toJson();
    json.putAll(index.members());
    return ShardList.bytes(json);
  }

  /** Parses an index; throws {@link IllegalArgumentException} for an index that no job wrote. */
  protected JobIndex parse(Path file, Map<String, Object> json) throws IOException {
    ShardList list = ShardList.parse(json, file);
    return JobIndex.of(list.format(), json, list.shards());
  }

  @Override
  public final TaskWriter open(
      Path target,
      Packing packing,
      Map<String, FieldType> fields,
      String id,
      int task,
      long attempt)
      throws IOException {
    if (!JobNames.isJob(id)) {
      throw new IllegalArgumentException(
          "the name of a job must be one that id() has returned, was '%s'".formatted(id));
    }
    Path directory = JobNames.directory(target, id, task, attempt);
    Map<String, FieldType> sorted = sorted(fields);
    return new ShardTaskWriter(directory, sorted, checked(directory, packing, sorted));
  }

  @Override
  public final PackingJob begin(
      Path target, Packing packing, Map<String, FieldType> fields, PackingJob.Mode mode)
      throws IOException {
    Map<String, FieldType> sorted = sorted(fields);
    // Errors in the options are reported now, and not when a hundred tasks have begun.
    Object unused = checked(target, packing, sorted);
    return ShardJob.begin(this, StoreDirectory.of(target), packing, sorted, mode);
  }

  private StagedOutput.Opener<StagedWriter<TaskSample>> checked(
      Path directory, Packing packing, Map<String, FieldType> fields) throws IOException {
    if (packing.shards().isPresent()) {
      throw new IllegalArgumentException(
          "tasks do not know of each other's shards: give shardBytes (--shard-size) instead of shards (--shards), which is %d"
              .formatted(packing.shards().getAsInt()));
    }
    for (String field : fields.keySet()) {
      if (field.isEmpty() || TAKEN.contains(field)) {
        throw refused(
            field, "image, key and label are every sample's own, and names are not empty");
      }
    }
    return opener(directory, packing, fields);
  }

  protected final IllegalArgumentException refused(String field, String reason) {
    return new IllegalArgumentException(
        "%s cannot have a field of the name '%s': %s; give it another name"
            .formatted(name, field, reason));
  }

  private static Map<String, FieldType> sorted(Map<String, FieldType> fields) {
    return new TreeMap<>(fields);
  }

  @Override
  public final PackingJob.Swept sweep(Path target, Duration olderThan) throws IOException {
    return Orphans.sweep(StoreDirectory.of(target), olderThan);
  }

  private record OneTaskWriter(StoreWriter<TaskSample> task) implements StoreWriter<EncodedImage> {

    @Override
    public long written() {
      return task.written();
    }

    @Override
    public void write(EncodedImage image) throws IOException {
      task.write(new TaskSample(image, Map.of()));
    }

    @Override
    public void leaveOut(Quarantine.Entry sample) throws IOException {
      task.leaveOut(sample);
    }

    @Override
    public Quarantine leftOut() {
      return task.leftOut();
    }

    @Override
    public void commit() throws IOException {
      task.commit();
    }

    @Override
    public void close() throws IOException {
      task.close();
    }

    @Override
    public String toString() {
      return task.toString();
    }
  }
}

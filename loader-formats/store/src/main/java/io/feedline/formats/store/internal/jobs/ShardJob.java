package io.feedline.formats.store.internal.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

final class ShardJob extends PackingJob {

  private static final Logger LOG = LoggerFactory.getLogger(ShardJob.class);

  private enum State {
    OPEN,
    /** The write of the index has failed, but may still take effect. */
    UNSURE,
    COMMITTED,
    ABORTED
  }

  private final JobFormat format;
  private final StoreDirectory directory;
  private final JobIndex described;
  private final Mode mode;
  private final String id = JobNames.next();
  private Duration abandonedAfter = ABANDONED_AFTER;
  private State state = State.OPEN;

  private ShardJob(JobFormat format, StoreDirectory directory, JobIndex described, Mode mode) {
    this.format = format;
    this.directory = directory;
    this.described = described;
    this.mode = mode;
  }

  static ShardJob begin(
      JobFormat format,
      StoreDirectory directory,
      Packing packing,
      Map<String, FieldType> fields,
      Mode mode)
      throws IOException {
    JobIndex described =
        new JobIndex(
            format.name(), packing.classes(), packing.options().values(), fields, List.of());
    ShardJob job = new ShardJob(format, directory, described, mode);
    job.requireTarget();
    return job;
  }

  private Path index() {
    return directory.path().resolve(format.indexName());
  }

  private void requireTarget() throws IOException {
    ObjectOutput.Content now = directory.read(format.indexName());
    if (now == null) {
      List<String> others = directory.others();
      if (!others.isEmpty()) {
        throw new FileAlreadyExistsException(
            directory.path().toString(),
            null,
            "there is something that is not a %s store of tasks, %s: give an empty directory, or one that does not exist"
                .formatted(format.name(), shown(others)));
      }
    } else if (mode == Mode.CREATE) {
      throw new FileAlreadyExistsException(
          index().toString(),
          null,
          "there is a store already; the modes REPLACE and APPEND change it");
    } else {
      JobIndex unused = next(parsed(now), List.of());
    }
  }

  private static String shown(List<String> names) {
    return names.size() <= 3
        ? String.join(", ", names)
        : "%s and %d more".formatted(String.join(", ", names.subList(0, 3)), names.size() - 3);
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public void abandonedAfter(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("abandonedAfter must be 0 or more, was " + time);
    }
    abandonedAfter = time;
  }

  @Override
  public void commit(List<CommittedTask> tasks) throws IOException {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          "%s %s".formatted(this, state == State.UNSURE ? "has failed to commit" : "is " + state));
    }
    List<PackedShard> shards = ordered(tasks);
    requireThere(shards);
    Set<String> replaced = write(shards);
    state = State.COMMITTED;
    tidy(shards, replaced);
  }

  private List<PackedShard> ordered(List<CommittedTask> tasks) {
    Map<Integer, CommittedTask> byNumber = new TreeMap<>();
    for (CommittedTask task : tasks) {
      CommittedTask other = byNumber.putIfAbsent(task.task(), task);
      if (other != null) {
        throw new IllegalArgumentException(
            "%s: task %d is there twice, with attempts %d and %d; only one of them can be a part of the store"
                .formatted(this, task.task(), other.attempt(), task.attempt()));
      }
    }
    List<PackedShard> shards = new ArrayList<>();
    for (CommittedTask task : byNumber.values()) {
      String attempt = id + "/" + JobNames.attempt(task.task(), task.attempt());
      for (PackedShard shard : task.shards()) {
        PackedShard placed = shard.in(attempt);
        if (!attempt.equals(JobNames.directory(placed.path()))) {
          throw new IllegalArgumentException(
              "%s: the path of a shard of task %d must be a file's name, was '%s'"
                  .formatted(this, task.task(), shard.path()));
        }
        shards.add(placed);
      }
    }
    return shards;
  }

  private void requireThere(List<PackedShard> shards) throws IOException {
    if (shards.isEmpty()) {
      return;
    }
    Map<String, Long> found = directory.sizes(id);
    for (PackedShard shard : shards) {
      long bytes = found.getOrDefault(shard.path(), -1L);
      if (bytes < 0 && found.containsKey(shard.path())) {
        bytes = ObjectOutput.size(directory.path().resolve(shard.path()));
      }
      if (bytes != shard.bytes()) {
        throw new IOException(
            "%s: the shard %s was written with %d bytes, %s. Nothing is committed: its task must be done again, in another job"
                .formatted(
                    this,
                    shard.path(),
                    shard.bytes(),
                    bytes < 0 ? "but it is missing" : "but it has " + bytes));
      }
    }
  }

  private Set<String> write(List<PackedShard> shards) throws IOException {
    JobIndex before = null;
    String conflicting = null;
    while (true) {
      ObjectOutput.Content now = directory.read(format.indexName());
      if (isMine(now)) {
        // An earlier attempt has written the index, but its answer was lost.
        return replaced(before);
      }
      if (now != null && mode == Mode.CREATE) {
        throw beaten();
      }
      if (now == null) {
        requireNoOtherIndex();
      }
      String version = now == null ? ObjectOutput.ABSENT : now.version();
      before = now == null ? null : parsed(now);
      byte[] next = format.bytes(next(before, shards));
      try {
        directory.replace(format.indexName(), next, version);
        return replaced(before);
      } catch (IOException failure) {
        if (failure instanceof ObjectOutput.ConflictException && !version.equals(conflicting)) {
          conflicting = version; // another job has changed the index: read it again
          continue;
        }
        if (isThere(failure)) {
          LOG.warn("{} is committed, though this has failed", this, failure);
          return replaced(before);
        }
        throw failure;
      }
    }
  }

  private boolean isThere(IOException failure) {
    state = State.UNSURE;
    try {
      if (isMine(directory.read(format.indexName()))) {
        return true;
      }
      state = directory.failsForGood() ? State.OPEN : State.UNSURE;
    } catch (IOException unknown) {
      failure.addSuppressed(unknown);
    }
    return false;
  }

  private void requireNoOtherIndex() throws IOException {
    for (String name : JobFormat.INDEXES) {
      if (!name.equals(format.indexName()) && directory.read(name) != null) {
        throw new FileAlreadyExistsException(
            directory.path().resolve(name).toString(),
            null,
            "another job has committed a store of another format meanwhile");
      }
    }
  }

  private boolean isMine(ObjectOutput.Content now) throws IOException {
    return now != null && Orphans.referred(index(), now.bytes()).contains(id);
  }

  private FileAlreadyExistsException beaten() throws IOException {
    FileAlreadyExistsException failure =
        new FileAlreadyExistsException(
            index().toString(),
            null,
            "another job has committed a store meanwhile; what this one has written is deleted");
    try {
      abort();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
    return failure;
  }

  private JobIndex parsed(ObjectOutput.Content now) throws IOException {
    JobIndex there;
    try {
      there = format.parse(index(), Json.read(new String(now.bytes(), UTF_8)));
      for (PackedShard shard : there.shards()) {
        if (JobNames.directory(shard.path()) == null) {
          throw new IllegalArgumentException(
              "the shard '%s' lies in no job's directory".formatted(shard.path()));
        }
      }
    } catch (IllegalArgumentException foreign) {
      throw new IOException(
          "%s: no job has written this store, so it is neither replaced nor appended to: take another directory, or delete this one. %s"
              .formatted(index(), foreign.getMessage()),
          foreign);
    }
    return there;
  }

  private JobIndex next(@Nullable JobIndex before, List<PackedShard> shards) throws IOException {
    if (before == null || mode == Mode.REPLACE) {
      return described.withShards(shards);
    }
    requireSame("format", before.format(), described.format());
    requireSame("classes", before.classes(), described.classes());
    requireSame("options", before.options(), described.options());
    requireSame("fields", before.fields(), described.fields());
    List<PackedShard> all = new ArrayList<>(before.shards());
    all.addAll(shards);
    return described.withShards(all);
  }

  private void requireSame(String what, Object there, Object mine) throws IOException {
    if (!there.equals(mine)) {
      throw new IOException(
          "%s: the store has %s %s, but the new samples have %s; they must be the same"
              .formatted(index(), what, there, mine));
    }
  }

  /** Returns the jobs that wrote the replaced store; their directories have only its files. */
  private Set<String> replaced(JobIndex before) {
    Set<String> jobs = new LinkedHashSet<>();
    if (before != null && mode == Mode.REPLACE) {
      before.shards().forEach(shard -> jobs.add(JobNames.job(shard.path())));
    }
    return jobs;
  }

  /** Deletes files that the index does not name; only logs failures, since the store is whole. */
  private void tidy(List<PackedShard> shards, Set<String> replaced) {
    replaced.forEach(this::tryDelete);
    try {
      Set<String> others = new LinkedHashSet<>(directory.attempts(id).keySet());
      shards.forEach(shard -> others.remove(JobNames.directory(shard.path())));
      others.forEach(this::tryDelete);
      Swept swept = Orphans.sweep(directory, abandonedAfter);
      if (!swept.deleted().isEmpty()) {
        LOG.info("{}: abandoned by other jobs, and deleted: {}", this, swept.deleted());
      }
    } catch (IOException failure) {
      LOG.warn("{} is committed, but what other attempts have left stays there", this, failure);
    }
  }

  private void tryDelete(String attempt) {
    try {
      directory.delete(attempt);
    } catch (IOException failure) {
      LOG.warn("{} is committed, but {} cannot be deleted", this, attempt, failure);
    }
  }

  @Override
  public void abort() throws IOException {
    if (state == State.COMMITTED) {
      throw new IllegalStateException(this + " is committed");
    }
    if (state == State.UNSURE) {
      LOG.warn(
          "{}: its index could not be written, and it is not known whether it yet will be; its"
              + " shards stay, to be swept if it is not",
          this);
      return;
    }
    state = State.ABORTED;
    directory.delete(id);
  }

  @Override
  public String toString() {
    return "%s, %s".formatted(directory.path(), id);
  }
}

package io.feedline.formats.store.internal.staging;

import io.feedline.data.Quarantine;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.internal.Closing;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An output, a file or a directory, that exists only when it is whole.
 *
 * <p>A local output grows as {@code NAME.partial} beside its place, with {@code .lock}, locked by
 * the only writer, and {@code .journal}, lines of JSON: first the identity of the output, then each
 * shard when it is whole and on the disk, or a checkpoint of a format without shards, and at last
 * how many samples there are. A torn last line is cut off. A run of the same identity continues
 * behind the last shard or checkpoint. {@link #publish} forces journal and directories, renames the
 * output, and deletes the journal; an interruption between any two of these steps is continued.
 *
 * <p>Objects are put at their final place, beside the journal, {@link ObjectOutput#UNFINISHED}; as
 * long as the journal exists, our file system lists nothing of the directory. The journal is also
 * the lock: each write requires the version that this writer wrote last ({@code If-Match}). A dead
 * writer looks like a slow writer, so a new writer of the same identity takes over, and the earlier
 * writer fails at its next step. The earlier writer replaces no object of the new writer: it reads
 * an object's version, checks that the journal is unchanged, and then puts the object only if the
 * object still has that version.
 *
 * <p>Not thread-safe. The caller closes it, which releases the lock; closing twice is allowed.
 */
public final class StagedOutput implements Closeable {

  public static final String SUFFIX = ".partial";

  public enum Kind {
    FILE,
    DIRECTORY
  }

  private enum State {
    OPEN,
    PUBLISHED,
    CLOSED
  }

  private final Staging staging;
  private final List<PackedShard> shards;

  private final List<Map<String, Object>> checkpoints;
  private final long complete;
  private State state = State.OPEN;

  private StagedOutput(Staging staging) {
    this.staging = staging;
    this.shards = staging.begun().shards();
    this.checkpoints = staging.begun().checkpoints();
    this.complete = staging.begun().complete();
  }

  /** Begins or continues an output; if {@code restart}, deletes an output of another identity. */
  public static StagedOutput open(
      Path target, Kind kind, Map<String, String> identity, boolean restart) throws IOException {
    return new StagedOutput(
        ObjectOutput.of(target) == null
            ? LocalStaging.open(target, kind, identity, restart)
            : ObjectStaging.open(target, kind, identity, restart));
  }

  /** Begins the output of a task, a part of a store. It has no journal, and is never continued. */
  public static StagedOutput forTask(Path directory) throws IOException {
    return new StagedOutput(TaskStaging.open(directory));
  }

  @FunctionalInterface
  public interface Opener<W> {
    W open(StagedOutput output) throws IOException;
  }

  public static <W> W openFor(
      Path target, Kind kind, String format, Packing packing, Opener<W> opener) throws IOException {
    return openFor(target, kind, packing.identity(format), packing.restart(), opener);
  }

  public static <W> W openFor(
      Path target, Kind kind, Map<String, String> identity, boolean restart, Opener<W> opener)
      throws IOException {
    StagedOutput output = open(target, kind, identity, restart);
    try {
      return opener.open(output);
    } catch (IOException | RuntimeException | Error failure) {
      Closing.afterFailure(failure, output);
      throw failure;
    }
  }

  public static boolean isUnfinished(Path path) {
    return path.toString().endsWith(SUFFIX) && Files.exists(LocalStaging.journalOf(path));
  }

  public static boolean isBegun(Path target) {
    Path name = target.getFileName();
    return name != null
        && LocalFiles.include(target)
        && isUnfinished(target.resolveSibling(name + SUFFIX));
  }

  /** Tests whether a task writes the output, which then has neither index nor classes. */
  public boolean isOfTask() {
    return staging instanceof TaskStaging;
  }

  void ended(PackedShard shard) throws IOException {
    requireOpen();
    staging.append(JournalLines.shard(shard), true);
    shards.add(shard);
  }

  /** Returns all whole shards, also those of an interrupted run, in a new unmodifiable list. */
  public List<PackedShard> shards() {
    return List.copyOf(shards);
  }

  /** Returns the path for writing: {@code NAME.partial}, or in an object store the final place. */
  public Path path() {
    return staging.path();
  }

  public Path target() {
    return staging.target();
  }

  /** Tests whether an interrupted run had written everything, so that nothing can be added. */
  public boolean isComplete() {
    return complete >= 0;
  }

  public long completeSamples() {
    return complete;
  }

  public boolean isContinued() {
    return !staging.begun().isEmpty();
  }

  /** Returns the checkpoints of an interrupted run, the oldest first; empty for a new output. */
  public List<Map<String, Object>> checkpoints() {
    return checkpoints;
  }

  /** Notes a checkpoint of a format without shards; {@code durable} forces it to the disk. */
  public void checkpoint(Map<String, Object> checkpoint, boolean durable) throws IOException {
    requireOpen();
    staging.append(Map.of(JournalLines.CHECKPOINT, checkpoint), durable);
  }

  /** Notes a left-out sample. Checkpoints that count later samples must be noted afterwards. */
  void leaveOut(Quarantine.Entry sample, long written, boolean durable) throws IOException {
    requireOpen();
    staging.append(JournalLines.leftOut(sample, written), durable);
  }

  /** Returns the samples left out before {@code written}; a run reads later samples again. */
  List<Quarantine.Entry> takeUpLeftOut(long written, boolean durable) throws IOException {
    Map<Quarantine.Entry, Long> all = staging.begun().leftOut();
    List<Quarantine.Entry> kept = new ArrayList<>(leftOutUpTo(written));
    if (kept.size() < all.size()) {
      staging.append(JournalLines.leftOutUpTo(written), durable);
    }
    return kept;
  }

  List<Quarantine.Entry> leftOutUpTo(long written) {
    return staging.begun().leftOut().entrySet().stream()
        .filter(each -> each.getValue() <= written)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Writes a file below {@link #path}, whole or not at all; replaces an earlier run's file. */
  public void write(Path file, byte[] content) throws IOException {
    requireOpen();
    staging.write(file, content);
  }

  /** Completes an object of the output, unless another writer has taken over. */
  void complete(ObjectOutput object, ObjectOutput.Upload upload) throws IOException {
    requireOpen();
    staging.complete(object, upload);
  }

  public IOException explained(IOException failure) {
    return staging.explained(failure);
  }

  /** Gives the output its final name; its files must be on the disk. May be repeated on failure. */
  public void publish(long samples) throws IOException {
    requireOpen();
    staging.publish(isComplete() ? -1 : samples);
    state = State.PUBLISHED;
  }

  private void requireOpen() {
    if (state != State.OPEN) {
      throw new IllegalStateException(
          target() + (state == State.CLOSED ? " is closed" : " is committed already"));
    }
  }

  @Override
  public void close() throws IOException {
    if (state != State.OPEN) {
      return;
    }
    state = State.CLOSED;
    staging.close();
  }
}

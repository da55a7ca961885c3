package io.feedline.formats.store.internal.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.store.internal.files.CrashPoints;
import io.feedline.internal.Json;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * An output in an object store; see {@link StagedOutput}.
 *
 * <p>An object cannot be appended to, so each new line is sent with the whole journal, which has a
 * few hundred bytes for each shard. Lines that need not be durable are sent with the next durable
 * line.
 */
final class ObjectStaging extends Staging {

  private static final String OWNER = "owner";

  /** The journal's key of a state: {@link #CLEARING} while an earlier run's objects are deleted. */
  private static final String STATE = "state";

  private static final String CLEARING = "clearing";

  private final ObjectOutput journal;
  private final StringBuilder text;
  private String version;

  private ObjectStaging(
      Path target, ObjectOutput journal, JournalLines begun, String text, String version) {
    super(target, target, begun);
    this.journal = journal;
    this.text = new StringBuilder(text);
    this.version = version;
  }

  static ObjectStaging open(
      Path target, StagedOutput.Kind kind, Map<String, String> identity, boolean restart)
      throws IOException {
    Path whole = target.toAbsolutePath().normalize();
    ObjectOutput output = ObjectOutput.of(whole);
    ObjectOutput journal = ObjectOutput.of(journalOf(whole, kind));
    ObjectOutput.Content earlier = journal.read();
    if (earlier == null && (output.hasObjects() || output.size() >= 0)) {
      throw new FileAlreadyExistsException(
          target.toUri().toString(), null, "the output's path exists already");
    }
    JournalLines lines = earlier == null ? JournalLines.NONE : JournalLines.of(earlier.bytes());
    boolean fits = earlier == null || lines.fit(whole, identity, restart);
    boolean clears = !fits || lines.last(STATE).equals(CLEARING);
    String kept =
        fits && earlier != null
            ? new String(earlier.bytes(), 0, (int) lines.bytes(), UTF_8)
            : line(Map.of(JournalLines.IDENTITY, new TreeMap<>(identity)));
    ObjectStaging staging =
        new ObjectStaging(
            whole,
            journal,
            fits ? lines : JournalLines.NONE,
            kept,
            earlier == null ? ObjectOutput.ABSENT : earlier.version());
    String owner = WriterName.anywhere();
    staging.append(clears ? Map.of(OWNER, owner, STATE, CLEARING) : Map.of(OWNER, owner), true);
    if (earlier != null) {
      output.abortUploads();
    }
    if (clears) {
      if (kind == StagedOutput.Kind.FILE) {
        output.delete();
      } else {
        output.deleteObjects();
      }
      staging.append(Map.of(STATE, "cleared"), true);
    }
    return staging;
  }

  private static Path journalOf(Path whole, StagedOutput.Kind kind) throws IOException {
    if (kind == StagedOutput.Kind.DIRECTORY) {
      return whole.resolve(ObjectOutput.UNFINISHED);
    }
    if (whole.getFileName() == null) {
      throw new FileSystemException(
          whole.toUri().toString(), null, "this format is one object, which needs a name");
    }
    return whole.resolveSibling(whole.getFileName() + ObjectOutput.UNFINISHED);
  }

  private static String line(Map<String, Object> line) {
    return Json.write(line) + "\n";
  }

  @Override
  public void append(Map<String, Object> line, boolean durable) throws IOException {
    int end = text.length();
    text.append(line(line));
    if (!durable) {
      return;
    }
    try {
      version = journal.write(text.toString().getBytes(UTF_8), version);
      CrashPoints.taken();
    } catch (ObjectOutput.ConflictException other) {
      throw takenOver(other);
    } catch (IOException failure) {
      text.setLength(end);
      throw failure;
    }
  }

  private IOException takenOver(IOException cause) throws IOException {
    ObjectOutput.Content now = journal.read();
    String name =
        now == null ? "one that has just ended" : JournalLines.of(now.bytes()).last(OWNER);
    return new IOException(WriterName.words(target(), name), cause);
  }

  @Override
  public IOException explained(IOException failure) {
    try {
      return isHeld() ? failure : takenOver(failure);
    } catch (IOException unknown) {
      failure.addSuppressed(unknown);
      return failure;
    }
  }

  private boolean isHeld() throws IOException {
    return journal.version().equals(version);
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    ObjectOutput object = ObjectOutput.of(file);
    change(object, there -> object.write(content, there));
  }

  @Override
  public void complete(ObjectOutput object, ObjectOutput.Upload upload) throws IOException {
    change(object, upload::complete);
  }

  private interface Change {
    String of(String version) throws IOException;
  }

  /**
   * Changes an object, unless another writer has taken over. Another writer changes the journal
   * first. So if the journal is unchanged, the version read before is not that writer's; whatever
   * that writer puts from now on has another version, and the change fails.
   */
  private void change(ObjectOutput object, Change change) throws IOException {
    String there = object.version();
    if (!isHeld()) {
      throw takenOver(null);
    }
    try {
      String unused = change.of(there);
    } catch (ObjectOutput.ConflictException | FileNotFoundException other) {
      throw explained(other);
    }
    CrashPoints.taken();
  }

  @Override
  public void publish(long samples) throws IOException {
    if (samples >= 0) {
      append(Map.of(JournalLines.COMPLETE, samples), true);
    }
    journal.delete();
    CrashPoints.taken();
  }

  /** Releases nothing: the journal stays, so that the output can be continued. */
  @Override
  public void close() {
    // Uploads are closed by their writers.
  }
}

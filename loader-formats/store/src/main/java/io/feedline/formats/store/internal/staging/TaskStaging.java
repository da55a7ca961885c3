package io.feedline.formats.store.internal.staging;

import io.feedline.formats.store.internal.files.CrashPoints;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.WholeFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The output of a task's attempt, which alone writes there; never locked, renamed or continued. */
final class TaskStaging extends Staging {

  private TaskStaging(Path directory) {
    super(directory, directory, JournalLines.NONE);
  }

  static TaskStaging open(Path directory) throws IOException {
    Path whole = directory.toAbsolutePath().normalize();
    ObjectOutput objects = ObjectOutput.of(whole);
    if (objects != null) {
      if (objects.hasObjects()) {
        throw begunBefore(whole);
      }
      return new TaskStaging(whole);
    }
    LocalFiles.requireForWriting(whole);
    Files.createDirectories(whole.getParent());
    try {
      Files.createDirectory(whole);
    } catch (FileAlreadyExistsException there) {
      throw begunBefore(whole);
    }
    CrashPoints.taken();
    return new TaskStaging(whole);
  }

  private static FileAlreadyExistsException begunBefore(Path directory) {
    return new FileAlreadyExistsException(
        directory.toString(),
        null,
        "this attempt of the task was begun before: each attempt needs a number of its own");
  }

  @Override
  public void append(Map<String, Object> line, boolean durable) {
    CrashPoints.taken();
  }

  @Override
  public void write(Path file, byte[] content) throws IOException {
    ObjectOutput object = ObjectOutput.of(file);
    if (object == null) {
      WholeFile.write(file, content);
    } else {
      String unused = object.write(content, ObjectOutput.ABSENT);
      CrashPoints.taken();
    }
  }

  @Override
  public void complete(ObjectOutput object, ObjectOutput.Upload upload) throws IOException {
    String unused = upload.complete(ObjectOutput.ABSENT);
    CrashPoints.taken();
  }

  /** Forces the directories with the shards' names to the disk, where the shards are already. */
  @Override
  public void publish(long samples) throws IOException {
    Path directory = path();
    if (LocalFiles.include(directory)) {
      LocalStaging.forceDirectory(directory);
      LocalStaging.forceDirectory(directory.getParent());
      LocalStaging.forceDirectory(directory.getParent().getParent());
    }
  }

  @Override
  public void close() {
    // See ShardTaskWriter, which deletes what was not committed.
  }
}

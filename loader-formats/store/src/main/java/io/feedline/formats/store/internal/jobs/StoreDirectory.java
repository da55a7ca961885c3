package io.feedline.formats.store.internal.jobs;

import io.feedline.formats.store.internal.files.CrashPoints;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.staging.LocalStaging;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The directory of a store that jobs write. Not thread-safe. Holds nothing open. */
interface StoreDirectory {

  static StoreDirectory of(Path target) throws IOException {
    Path whole = target.toAbsolutePath().normalize();
    ObjectOutput objects = ObjectOutput.of(whole);
    if (objects != null) {
      return new ObjectStoreDirectory(whole, objects);
    }
    LocalFiles.requireForWriting(whole);
    return new LocalStoreDirectory(whole);
  }

  static void deleteTree(Path directory) throws IOException {
    ObjectOutput objects = ObjectOutput.of(directory);
    if (objects == null) {
      LocalStaging.deleteTree(directory);
    } else {
      objects.abortUploads();
      objects.deleteObjects();
    }
  }

  Path path();

  /** Returns all names in the directory but those of jobs, locks and an index's temporary files. */
  List<String> others() throws IOException;

  ObjectOutput.@Nullable Content read(String index) throws IOException;

  /** Replaces the given version of an index, or throws {@link ObjectOutput.ConflictException}. */
  void replace(String index, byte[] content, String version) throws IOException;

  /** Returns whether a {@link #replace} that has failed can no longer change the index. */
  boolean failsForGood();

  /** Returns the sizes of a job's files, by their paths below the store's directory. */
  Map<String, Long> sizes(String job) throws IOException;

  /**
   * Returns the attempts of a job, or of all jobs if {@code job} is empty, with the time of the
   * last write; {@link Instant#MIN} if the time is unknown. A key is {@code JOB/ATTEMPT}, or {@code
   * JOB} for a job without attempts. Directories that contain only files which jobs do not write
   * are left out.
   */
  Map<String, Instant> attempts(String job) throws IOException;

  default void abortUploads() throws IOException {}

  default void delete(String attempt) throws IOException {
    Set<String> files = sizes(attempt).keySet();
    if (files.stream().allMatch(JobNames::isWritten)) {
      deleteTree(path().resolve(attempt));
      deleteEmpty(JobNames.job(attempt));
    } else {
      for (String file : files) {
        if (JobNames.isWritten(file)) {
          ObjectOutput.deleteIfExists(path().resolve(file));
          deleteEmpty(file.substring(0, file.lastIndexOf('/')));
        }
      }
    }
    CrashPoints.taken();
  }

  void deleteEmpty(String directory) throws IOException;
}

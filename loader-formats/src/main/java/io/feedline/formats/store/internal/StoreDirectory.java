package io.feedline.formats.store.internal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The directory of a store that jobs write: the files of their attempts, and an index that is
 * changed as a whole, and only if it is what it was taken for. Not thread-safe. Holds nothing open.
 */
interface StoreDirectory {

  /**
   * The directory of a path.
   *
   * @throws IOException if nothing can be written there, as the path is of another file system
   */
  static StoreDirectory of(Path target) throws IOException {
    Path whole = target.toAbsolutePath().normalize();
    ObjectOutput objects = ObjectOutput.of(whole);
    if (objects != null) {
      return new ObjectStoreDirectory(whole, objects);
    }
    LocalFiles.requireForWriting(whole);
    return new LocalStoreDirectory(whole);
  }

  /**
   * Deletes a directory of any file system that is written to, and all that is in it.
   *
   * @throws IOException if that fails
   */
  static void deleteTree(Path directory) throws IOException {
    ObjectOutput objects = ObjectOutput.of(directory);
    if (objects == null) {
      LocalStaging.deleteTree(directory);
    } else {
      objects.abortUploads();
      objects.deleteObjects();
    }
  }

  /** The path; absolute. */
  Path path();

  /**
   * The names of what lies in the directory itself that is neither a job's nor an index's lock.
   *
   * @throws IOException if it cannot be listed, or is a file
   */
  List<String> others() throws IOException;

  /**
   * Reads an index.
   *
   * @return null if there is none
   * @throws IOException if it cannot be read
   */
  ObjectOutput.Content read(String index) throws IOException;

  /**
   * Replaces an index, durably and as a whole.
   *
   * @param version that it must have now, or {@link ObjectOutput#ABSENT}
   * @throws ObjectOutput.ConflictException if it has another one, and other content
   * @throws IOException if it cannot be written
   */
  void replace(String index, byte[] content, String version) throws IOException;

  /** Whether an index is as it was when {@link #replace} has failed, and will stay so. */
  boolean failsForGood();

  /**
   * The sizes of the files below a job's directory, by their paths below the store's.
   *
   * @throws IOException if they cannot be listed
   */
  Map<String, Long> sizes(String job) throws IOException;

  /**
   * The attempts of a job, and of all jobs where that is empty, {@code JOB/ATTEMPT}, and when
   * something was last written there; {@link Instant#MIN} where that is not known. A job without an
   * attempt is there by its own name.
   *
   * @throws IOException if they cannot be listed
   */
  Map<String, Instant> attempts(String job) throws IOException;

  /**
   * Gives up what any job has begun to send, and of which nothing is to be seen yet.
   *
   * @throws IOException if that fails
   */
  default void abortUploads() throws IOException {}

  /**
   * Deletes the directory of a job or an attempt, and that of the job if nothing else is in it.
   *
   * @throws IOException if that fails
   */
  void delete(String attempt) throws IOException;
}

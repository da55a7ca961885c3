package io.feedline.formats.store.internal.jobs;

import io.feedline.formats.store.internal.files.CrashPoints;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

record ObjectStoreDirectory(Path path, ObjectOutput objects) implements StoreDirectory {

  @Override
  public List<String> others() throws IOException {
    if (ObjectOutput.of(path.resolve(ObjectOutput.UNFINISHED)).size() >= 0) {
      throw new FileAlreadyExistsException(
          path.toString(),
          null,
          "another command is writing there, or was interrupted: it has left "
              + ObjectOutput.UNFINISHED);
    }
    TreeSet<String> others = new TreeSet<>();
    objects.listObjects(
        name -> {
          String first = JobNames.job(name);
          if (!JobNames.isJob(first) || first.equals(name)) {
            others.add(first);
          }
        });
    return List.copyOf(others);
  }

  @Override
  public ObjectOutput.Content read(String index) throws IOException {
    return ObjectOutput.of(path.resolve(index)).read();
  }

  @Override
  public void replace(String index, byte[] content, String version) throws IOException {
    String unused = ObjectOutput.of(path.resolve(index)).write(content, version);
    CrashPoints.taken();
  }

  /** Returns false: a request that timed out may still take effect. */
  @Override
  public boolean failsForGood() {
    return false;
  }

  @Override
  public Map<String, Long> sizes(String job) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    ObjectOutput.of(path.resolve(job))
        .list(object -> sizes.put(job + "/" + object.name(), object.bytes()));
    return sizes;
  }

  @Override
  public Map<String, Instant> attempts(String job) throws IOException {
    Map<String, Instant> attempts = new TreeMap<>();
    ObjectOutput.of(job.isEmpty() ? path : path.resolve(job))
        .list(
            object -> {
              String name = job.isEmpty() ? object.name() : job + "/" + object.name();
              if (JobNames.isWritten(name)) {
                attempts.merge(
                    name.substring(0, name.lastIndexOf('/')),
                    object.modified(),
                    (a, b) -> a.isAfter(b) ? a : b);
              }
            });
    return attempts;
  }

  @Override
  public void abortUploads() throws IOException {
    objects.abortUploads();
  }

  @Override
  public void deleteEmpty(String directory) throws IOException {
    ObjectOutput.of(path.resolve(directory)).removeEmptyDirectory();
  }
}

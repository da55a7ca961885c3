package io.feedline.formats.store.internal.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The leftovers of jobs: directories in a store's directory that the store's index does not name.
 *
 * <p>A job may still be running if the index names none of its shards; the job's age is that of its
 * youngest file. If the index names a shard of a job, the job is committed, and each of its other
 * attempts is a leftover with an age of its own. If the file system does not report when files were
 * written, the age counts from the beginning of the job, which is in the job's name.
 */
final class Orphans {

  private Orphans() {}

  static PackingJob.Swept sweep(StoreDirectory directory, Duration olderThan) throws IOException {
    if (olderThan.isNegative()) {
      throw new IllegalArgumentException("olderThan must be 0 or more, was " + olderThan);
    }
    Instant end = Instant.now().minus(olderThan);
    // The index is read after the listing, so that it names each job that commits in between.
    Map<String, Instant> attempts = directory.attempts("");
    Set<String> referred = referred(directory);
    Map<String, Instant> jobs = new TreeMap<>();
    attempts.forEach((path, written) -> jobs.merge(JobNames.job(path), written, Orphans::later));
    List<String> deleted = new ArrayList<>();
    List<String> recent = new ArrayList<>();
    for (Map.Entry<String, Instant> job : jobs.entrySet()) {
      String name = job.getKey();
      Map<String, Instant> orphans = new TreeMap<>();
      if (referred.contains(name)) {
        attempts.forEach(
            (path, written) -> {
              if (path.startsWith(name + "/") && !referred.contains(path)) {
                orphans.put(path, written);
              }
            });
      } else {
        orphans.put(name, job.getValue());
      }
      for (Map.Entry<String, Instant> orphan : orphans.entrySet()) {
        Instant written = later(orphan.getValue(), JobNames.begun(name));
        if (olderThan.isZero() || written.isBefore(end)) {
          directory.delete(orphan.getKey());
          deleted.add(orphan.getKey());
        } else {
          recent.add(orphan.getKey());
        }
      }
    }
    if (olderThan.isZero()) {
      // Aborts uploads of jobs that have left no files and are not in the listing.
      directory.abortUploads();
    }
    return new PackingJob.Swept(deleted, recent);
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Set<String> referred(StoreDirectory directory) throws IOException {
    Set<String> referred = new HashSet<>();
    for (String name : JobFormat.INDEXES) {
      ObjectOutput.Content index = directory.read(name);
      if (index != null) {
        referred.addAll(referred(directory.path().resolve(name), index.bytes()));
      }
    }
    return referred;
  }

  /** Returns the jobs and attempts that any text of an index names, whatever its format is. */
  static Set<String> referred(Path file, byte[] index) throws IOException {
    Set<String> referred = new HashSet<>();
    try {
      collect(Json.readValue(new String(index, UTF_8)), referred);
    } catch (IllegalArgumentException broken) {
      throw FormatException.in(
          file, "this does not say which shards the store has: " + broken.getMessage(), broken);
    }
    return referred;
  }

  private static void collect(Object json, Set<String> referred) {
    if (json instanceof Map<?, ?> object) {
      object.values().forEach(value -> collect(value, referred));
    } else if (json instanceof List<?> list) {
      list.forEach(value -> collect(value, referred));
    } else if (json instanceof String text) {
      String attempt = JobNames.directory(text);
      if (attempt != null) {
        referred.add(attempt);
        referred.add(JobNames.job(attempt));
      }
    }
  }
}

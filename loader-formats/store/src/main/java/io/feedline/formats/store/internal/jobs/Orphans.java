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
 * The leftovers of jobs in a store's directory to which its index does not refer.
 *
 * <p>A job without a shard in the index may still be running; its age is that of its youngest file.
 * A job with a shard in the index is committed, so its other attempts are judged one by one. If a
 * store does not report times of writing, the job's beginning, which is in its name, counts.
 */
final class Orphans {

  private Orphans() {}

  static PackingJob.Swept sweep(StoreDirectory directory, Duration olderThan) throws IOException {
    if (olderThan.isNegative()) {
      throw new IllegalArgumentException("olderThan must be 0 or more, was " + olderThan);
    }
    Instant end = Instant.now().minus(olderThan);
    // The index after the list: a job that is committed in between is seen in it.
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

  /** Looks at any text of an index of any format, so that no directory in use is deleted. */
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

package io.feedline.formats.store.internal.shards;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The names of directories that jobs write: {@code JOB/ATTEMPT}, below the store's directory. */
public final class JobNames {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final Pattern JOB = Pattern.compile("job-([0-9]{8}T[0-9]{6}Z)-[a-z]{8}");
  private static final Pattern ATTEMPT = Pattern.compile("[0-9]{5,10}-[0-9]{1,19}");

  private static final Pattern SHARD =
      Pattern.compile("(" + JOB + ")/(" + ATTEMPT + ")/[^/.\\\\][^/\\\\]*");

  /** The names of shards in all formats that tasks write, and of the files beside a shard. */
  private static final Pattern WRITTEN =
      Pattern.compile(
          "[.]{0,2}(shard[.][0-9]+[.]mds([.](gz|zstd))?|data-[0-9]+[.](tar|tfrecord))([.](feedline-index|tfindex|scan-index))?([.][0-9a-f]{8}[.]partial)?");

  private static final SecureRandom RANDOM = new SecureRandom();

  private JobNames() {}

  public static String next() {
    StringBuilder name = new StringBuilder("job-").append(TIME.format(Instant.now())).append('-');
    for (int i = 0; i < 8; i++) {
      name.append((char) ('a' + RANDOM.nextInt(26)));
    }
    return name.toString();
  }

  public static Path directory(Path target, String job, int task, long attempt) {
    return target.resolve(job).resolve(attempt(task, attempt));
  }

  public static boolean isJob(String name) {
    return JOB.matcher(name).matches();
  }

  public static boolean isAttempt(String name) {
    return ATTEMPT.matcher(name).matches();
  }

  /** Returns when a job began; {@link Instant#MIN} if its name has an impossible time. */
  public static Instant begun(String job) {
    Matcher name = JOB.matcher(job);
    if (!name.matches()) {
      throw new IllegalArgumentException(job + " is not a name of a job");
    }
    try {
      return TIME.parse(name.group(1), Instant::from);
    } catch (DateTimeException impossible) {
      return Instant.MIN;
    }
  }

  public static String attempt(int task, long attempt) {
    if (task < 0 || attempt < 0) {
      throw new IllegalArgumentException(
          "task and attempt must be 0 or more, were %d and %d".formatted(task, attempt));
    }
    return String.format(Locale.ROOT, "%05d-%d", task, attempt);
  }

  /** Returns {@code JOB/ATTEMPT}, with which a shard's path begins; null for any other path. */
  public static @Nullable String directory(String path) {
    return SHARD.matcher(path).matches() ? path.substring(0, path.lastIndexOf('/')) : null;
  }

  public static boolean isWritten(String path) {
    String[] names = path.split("/", -1);
    return names.length == 3
        && isJob(names[0])
        && isAttempt(names[1])
        && WRITTEN.matcher(names[2]).matches();
  }

  public static String job(String path) {
    int slash = path.indexOf('/');
    return slash < 0 ? path : path.substring(0, slash);
  }
}

package io.feedline.formats.cli.internal.command;

import io.feedline.formats.store.PackingJob;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/** The options that delete what killed jobs left in a store's directory, and their messages. */
public final class SweepOptions {

  @Option(
      names = "--sweep",
      required = true,
      description =
          "First deletes what packing jobs have left that were killed, for example Spark's:"
              + " directories of jobs and tasks that the store's index does not refer to, but for files"
              + " that no job writes. Works where there is no store yet, too.")
  @SuppressWarnings("unused") // picocli creates this object only if its options are given
  private boolean sweep;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      defaultValue = "24h",
      converter = Age.class,
      description =
          "With --sweep: leaves alone what was written to in this time, since its job may be"
              + " running; 0s where no job can be. Default: ${DEFAULT-VALUE}.")
  private Duration olderThan;

  /** A converter of times, which may be 0. */
  private static final class Age implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return text.matches("0 ?[a-z]+") ? Duration.ZERO : new TimeSpan().convert(text);
    }
  }

  public PackingJob.Swept run(Path path) throws IOException {
    return PackingJob.sweep(path, olderThan);
  }

  /** Tests whether a directory has files other than those left by uncommitted jobs. */
  public static boolean hasStore(Path path) throws IOException {
    if (!Presence.isDirectory(path)) {
      return Presence.exists(path);
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries
          .map(entry -> entry.getFileName().toString().replaceFirst("/$", ""))
          .anyMatch(name -> !name.startsWith(".") && !name.startsWith("job-"));
    } catch (NoSuchFileException swept) {
      return false;
    }
  }

  public List<String> lines(PackingJob.Swept swept) {
    List<String> lines = new ArrayList<>();
    swept.deleted().forEach(each -> lines.add("deleted " + each));
    for (String each : swept.recent()) {
      lines.add(
          "left %s, which was written to in the last %s: its job may be running; if not, --older-than 0s deletes it"
              .formatted(each, TimeSpan.words(olderThan.toNanos() / 1e9)));
    }
    if (lines.isEmpty()) {
      lines.add("no job has left anything");
    }
    return lines;
  }

  public static Map<String, Object> json(PackingJob.Swept swept) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("deleted", swept.deleted());
    json.put("recent", swept.recent());
    return json;
  }
}

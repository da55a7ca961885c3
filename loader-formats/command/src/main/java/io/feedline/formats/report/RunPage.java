package io.feedline.formats.report;

import io.feedline.stats.Bottleneck;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The page of a run, made from {@code page.html} with the run's values. */
final class RunPage {

  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");
  private static final int STEP_ROWS = 12;
  private static final int STALL_ROWS = 5;

  /** The upper limit of each row in the table of waits, in seconds. */
  private static final double[] WAITS = {1e-6, 1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1, 10};

  private final RunRecord run;
  private final RunWords words;
  private final Optional<RunRecord> before;

  RunPage(RunRecord run, Optional<RunRecord> before) {
    this.run = run;
    this.before = before;
    this.words = new RunWords(run);
  }

  String html() {
    String style = resource("page.css");
    String charts = chartJs();
    String script = resource("page.js");
    Map<String, String> values = new LinkedHashMap<>();
    values.put("policy", policy(style, charts, script));
    values.put("style", style);
    values.put("name", Html.text(run.name()));
    values.put("created", Html.text(Html.moment(run.created())));
    values.put("extent", extent());
    values.put("circumstances", circumstances());
    values.put("advice", advice());
    values.put("changed", before.map(earlier -> new Comparison(earlier, run).html()).orElse(""));
    values.put("badge", words.badge());
    values.put("badgeStyle", words.badgeStyle());
    values.put("verdict", paragraphs(words.verdict()));
    values.put("tiles", tiles());
    values.put("joined", Html.text(joined()));
    values.put("step", Html.text(step()));
    values.put("threshold", Html.time(run.stallThreshold()));
    values.put("atOnce", Html.whole(run.waitsBetween(-1, WAITS[0])));
    values.put("count", Html.whole(run.total().waits().count()));
    values.put("stepsTable", stepsTable());
    values.put("waitsTable", waitsTable());
    values.put("stagesTable", stagesTable());
    values.put("processor", Html.text(words.processor()));
    values.put("stallsTable", stallsTable());
    values.put("blame", blame());
    values.put("epochs", epochsTable());
    values.put("settings", settings());
    values.put("data", run.toJson().replace("<", "\\u003c"));
    values.put("charts", charts);
    values.put("script", script);
    values.put("license", Html.text(resource("chartjs/LICENSE.md").strip()));
    // One pass: the inserted text is not searched for further placeholders.
    return PLACE
        .matcher(resource("page.html"))
        .replaceAll(place -> Matcher.quoteReplacement(required(values, place.group(1))));
  }

  private static String required(Map<String, String> values, String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalStateException("page.html has a place for '" + name + "', RunPage has not");
    }
    return value;
  }

  // ---- the parts of the page --------------------------------------------------------------

  /** Returns Chart.js without the line that would make a debugger fetch its source map. */
  private static String chartJs() {
    return resource("chartjs/chart.umd.min.js").replaceAll("(?m)^//# sourceMappingURL=.*$", "");
  }

  private static String resource(String name) {
    try (InputStream in = RunPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            "%s is not in this build of loader-formats: Maven puts it there (phase generate-resources)"
                .formatted(name));
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a content security policy: the page may run its own scripts, and fetch nothing. */
  private static String policy(String style, String... scripts) {
    StringBuilder policy = new StringBuilder("default-src 'none'; style-src ").append(hash(style));
    policy.append("; script-src");
    for (String script : scripts) {
      policy.append(' ').append(hash(script));
    }
    return policy.append("; base-uri 'none'; form-action 'none'").toString();
  }

  private static String hash(String content) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---- words ----------------------------------------------------------------------------------

  private static String paragraphs(List<String> sentences) {
    return sentences.stream()
        .map(each -> "<p>%s</p>\n".formatted(Html.text(each)))
        .collect(Collectors.joining());
  }

  private String extent() {
    LoaderStats.Epoch total = run.total();
    return "%s, %s in %s"
        .formatted(
            Html.count(total.batches(), "batch"),
            Html.count(total.samples(), "sample"),
            Html.time(total.elapsed()));
  }

  private String circumstances() {
    Map<String, String> all = new LinkedHashMap<>();
    run.settings().forEach((name, value) -> all.put(name, String.valueOf(value)));
    all.put(
        "loader",
        "%s, batches of %s, %s ahead"
            .formatted(
                Html.count(run.workers(), "worker"),
                run.loader().get("batch_size"),
                Html.whole(run.prefetch()))
            .replace("of null", "varying size"));
    all.put(
        "machine",
        "%s, %s".formatted(Html.count(run.processors(), "processor"), run.machine().get("os")));
    all.put(
        "other processes",
        run.otherProcessors().isPresent()
            ? "kept %s processors busy".formatted(Html.number(run.otherProcessors().getAsDouble()))
            : "not known");
    all.put("java", String.valueOf(run.machine().get("java")));
    if (run.machine().get("feedline") != null) {
      Object kernels = run.machine().get("kernels");
      all.put(
          "feedline",
          run.machine().get("feedline") + (kernels == null ? "" : ", " + kernels + " kernels"));
    }
    return all.entrySet().stream()
        .map(
            each ->
                "<div><dt>%s</dt><dd>%s</dd></div>\n"
                    .formatted(Html.text(each.getKey()), Html.text(each.getValue())))
        .collect(Collectors.joining());
  }

  private String advice() {
    StringBuilder html = new StringBuilder();
    String said = "";
    for (Bottleneck.Advice each : run.bottleneck().advice()) {
      boolean repeated = each.evidence().equals(said);
      said = each.evidence();
      html.append("<li><strong>%s.</strong> ".formatted(Html.text(each.change())))
          .append(element("code", each.option(), " "))
          .append(repeated ? "" : element("span", said, ""))
          .append("</li>\n");
    }
    return html.toString();
  }

  private static String element(String name, String text, String behind) {
    return text.isEmpty() ? "" : "<%1$s>%2$s</%1$s>%3$s".formatted(name, Html.text(text), behind);
  }

  private String joined() {
    double most = Arrays.stream(run.steps("count")).max().orElse(1);
    return most == 1
        ? "Each step by itself."
        : "%s steps are drawn together, as their mean; the longest of them stands beside it."
            .formatted(Html.whole(most));
  }

  private String step() {
    return run.serviceLevel()
        .map(
            level ->
                "t is %s, %s."
                    .formatted(
                        Html.time(level.level().stepTime()),
                        run.isStepMeasured()
                            ? "what the consumer took for a batch, on average"
                            : "the step time that was given"))
        .orElse("");
  }

  private String tiles() {
    LoaderStats.Epoch total = run.total();
    StringBuilder html = new StringBuilder();
    html.append(tile(Html.number(total.samplesPerSecond()), "samples/s"))
        .append(tile(Html.percent(total.waitingShare()), "of the time spent waiting"))
        .append(tile(Html.time(total.waits().p99()), "longest wait of 99% of batches"));
    run.serviceLevel()
        .filter(level -> level.batches() > 0)
        .map(RunPage::tile)
        .ifPresent(html::append);
    html.append(tile(Html.percent(total.workers().occupancy()), "of the workers' time in stages"));
    if (total.bytesRead() > 0 && !total.elapsed().isZero()) {
      double rate = total.bytesRead() * 1e9 / total.elapsed().toNanos();
      html.append(tile(Html.bytes(rate) + "/s", "read"));
    }
    return html.toString();
  }

  /** Returns the tile with the percentage of batches in time, rounded down to 0.1%. */
  private static String tile(ServiceLevel.Report level) {
    return tile(
        Html.percent(Math.floor(1000.0 * level.inTime() / level.batches()) / 1000),
        "of batches within " + Html.time(level.level().stepTime()));
  }

  private static String tile(String figure, String label) {
    return "<li><strong>%s</strong> <span>%s</span></li>\n"
        .formatted(Html.text(figure), Html.text(label));
  }

  private static double share(Duration part, Duration all) {
    return all.isZero() ? 0 : (double) part.toNanos() / all.toNanos();
  }

  // ---- tables ---------------------------------------------------------------------------------

  private record Row(RunRecord run, int from, int to) {
    double sum(String name) {
      return Arrays.stream(run.steps(name), from, to).sum();
    }

    /** Returns the mean of the entries' means, weighted by the entries' numbers of steps. */
    double mean(String means) {
      double sum = 0;
      for (int i = from; i < to; i++) {
        sum += run.steps(means)[i] * run.steps("count")[i];
      }
      return sum / sum("count");
    }

    List<String> cells() {
      double first = run.steps("first")[from];
      double last = run.steps("first")[to - 1] + run.steps("count")[to - 1] - 1;
      double[] waits = run.steps("waited_max_seconds");
      int longest =
          IntStream.range(from, to)
              .boxed()
              .max(Comparator.comparingDouble(i -> waits[i]))
              .orElseThrow();
      double wait = sum("waited_seconds") / sum("count");
      double computed = sum("compute_count");
      double compute = computed == 0 ? 0 : sum("compute_seconds") / computed;
      return List.of(
          first == last ? Html.whole(first) : Html.whole(first) + "\u2013" + Html.whole(last),
          Html.time(run.steps("at_seconds")[from]),
          computed == 0 || wait + compute == 0
              ? ""
              : Html.number(sum("samples") / sum("count") / (wait + compute)),
          Html.time(wait),
          Html.time(waits[longest]),
          "epoch %s, batch %s"
              .formatted(
                  Html.whole(run.steps("waited_max_epoch")[longest]),
                  Html.whole(run.steps("waited_max_batch")[longest])),
          computed == 0 ? "" : Html.time(compute),
          Html.number(mean("ready_mean")),
          Html.number(mean("slots_mean")),
          Html.time(sum("work_seconds") / sum("count")));
    }
  }

  private String stepsTable() {
    int entries = run.steps("first").length;
    long count = Math.min(STEP_ROWS, entries);
    return Html.table(
        "Steps, with means of each row's",
        List.of(
            "steps",
            "from",
            "samples/s",
            "wait",
            "wait, longest",
            "that was for",
            "compute",
            "ready of " + Html.whole(run.prefetch()),
            "slots in use of " + Html.whole(run.slots()),
            "work of all workers per batch"),
        LongStream.range(0, count)
            .mapToObj(
                i -> new Row(run, (int) (i * entries / count), (int) ((i + 1) * entries / count)))
            .map(Row::cells)
            .toList());
  }

  private String waitsTable() {
    List<List<String>> table = new ArrayList<>();
    long count = run.total().waits().count();
    double above = -1;
    for (int i = 0; i <= WAITS.length; i++) {
      boolean last = i == WAITS.length;
      double most = last ? Double.POSITIVE_INFINITY : WAITS[i];
      long waits = run.waitsBetween(above, most);
      if (waits > 0) {
        table.add(
            List.of(
                last ? "longer" : "up to " + Html.time(most),
                Html.whole(waits),
                Html.percent((double) waits / count)));
      }
      above = most;
    }
    LoaderStats.Waits waits = run.total().waits();
    return Html.table("Waits by length", List.of("wait", "batches", "of all"), table)
        + Html.table(
            "Percentiles of the waits",
            List.of("of all waits", "were no longer than"),
            List.of(
                List.of("50%", Html.time(waits.p50())),
                List.of("90%", Html.time(waits.p90())),
                List.of("99%", Html.time(waits.p99())),
                List.of("99.9%", Html.time(waits.p999())),
                List.of("all", Html.time(waits.max()))));
  }

  private String stagesTable() {
    LoaderStats.Epoch total = run.total();
    Duration all =
        total.stages().stream()
            .map(LoaderStats.Stage::elapsed)
            .reduce(Duration.ZERO, Duration::plus);
    List<List<String>> table =
        total.stages().stream()
            .map(
                stage ->
                    List.of(
                        stage.name(),
                        Html.time(stage.elapsed()),
                        Html.percent(share(stage.elapsed(), all)),
                        Html.time(stage.cpu()),
                        Html.time(stage.queued()),
                        Html.time(stage.waiting())))
            .toList();
    return Html.table(
            "Stages, the times of all workers added",
            List.of("stage", "time", "share", "on a processor", "queued for one", "waiting"),
            table)
        + Html.table(
            "What workers waited for, their times added",
            List.of("for", "time"),
            List.of(
                List.of(
                    "the consumer to take or close a batch",
                    Html.time(total.workers().waitedForRoom())),
                List.of("the next epoch to begin", Html.time(total.workers().waitedForEpoch())),
                List.of("each other, to read a stream", Html.time(total.workers().waitedToRead())),
                List.of(
                    "each other's locks",
                    Html.percent(total.workers().contention()) + " of the workers")));
  }

  private String stallsTable() {
    List<List<String>> table = new ArrayList<>();
    Stalls stalls = run.total().stalls();
    stalls
        .byCause()
        .forEach(
            (cause, sum) ->
                table.add(
                    List.of(
                        cause.toString(),
                        Html.whole(sum.count()),
                        Html.time(sum.waited()),
                        Html.percent(share(sum.waited(), stalls.total().waited())))));
    return Html.table(
        "Stalls by cause", List.of("cause", "stalls", "waited", "of the time in stalls"), table);
  }

  private String blame() {
    if (run.longestStalls().isEmpty()) {
      return "";
    }
    List<List<String>> table = new ArrayList<>();
    for (Stalls.Stall stall : run.longestStalls()) {
      table.add(
          List.of(
              "epoch %s, batch %s".formatted(Html.whole(stall.epoch()), Html.whole(stall.batch())),
              Html.time(stall.waited()),
              stall.cause().toString(),
              stall.index().isPresent() ? Html.whole(stall.index().getAsLong()) : "",
              stall.detail()));
    }
    List<String> heads = List.of("for", "waited", "cause", "sample to blame", "evidence");
    int shown = Math.min(STALL_ROWS, table.size());
    String html = Html.table("The longest stalls", heads, table.subList(0, shown));
    return shown == table.size()
        ? html
        : html
            + "<details open><summary>%s more</summary>\n"
                .formatted(Html.whole(table.size() - shown))
            + Html.table("More stalls", heads, table.subList(shown, table.size()))
            + "</details>\n";
  }

  private String epochsTable() {
    List<List<String>> table = new ArrayList<>();
    run.epochs().forEach(epoch -> table.add(row(epoch)));
    if (table.size() != 1) {
      table.add(row(run.total()));
    }
    return Html.table(
        "Epochs",
        List.of(
            "epoch",
            "batches",
            "samples",
            "time",
            "samples/s",
            "waiting",
            "wait p50",
            "wait p99",
            "wait max",
            "workers busy",
            "read"),
        table);
  }

  private static List<String> row(LoaderStats.Epoch epoch) {
    return List.of(
        epoch.epoch().isPresent() ? Html.whole(epoch.epoch().getAsLong()) : "all",
        Html.whole(epoch.batches()),
        Html.whole(epoch.samples()),
        Html.time(epoch.elapsed()),
        Html.number(epoch.samplesPerSecond()),
        Html.percent(epoch.waitingShare()),
        Html.time(epoch.waits().p50()),
        Html.time(epoch.waits().p99()),
        Html.time(epoch.waits().max()),
        Html.percent(epoch.workers().occupancy()),
        epoch.bytesRead() == 0 ? "not reported" : Html.bytes((double) epoch.bytesRead()));
  }

  private String settings() {
    Map<String, Object> machine = new LinkedHashMap<>(run.machine());
    machine.put("host_bytes", run.hostBytes());
    return (run.settings().isEmpty() ? "" : properties("Training", run.settings()))
        + properties("Loader", run.loader())
        + properties("Machine", machine);
  }

  private static String properties(String caption, Map<String, Object> members) {
    List<List<String>> table = new ArrayList<>();
    members.forEach(
        (name, value) -> {
          boolean size = name.endsWith("_bytes") && value instanceof Number;
          String shown = size ? Html.bytes(((Number) value).doubleValue()) : String.valueOf(value);
          table.add(
              List.of(
                  name.equals("host_bytes")
                      ? "memory of the slots"
                      : name.replace("_bytes", " memory").replace('_', ' '),
                  value == null ? "\u2013" : shown));
        });
    return Html.table(caption, List.of("name", "value"), table);
  }
}

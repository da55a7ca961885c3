package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.ByteRate;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.plan.Plan.Check;
import io.feedline.formats.cli.internal.plan.Plan.Kind;
import io.feedline.formats.cli.internal.plan.Plan.Limit;
import io.feedline.formats.cli.internal.plan.Plan.Verdict;
import io.feedline.internal.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A plan for people: two tables, and what follows from them in sentences. */
final class PlanText {

  private final Plan plan;
  private final Workload workload;
  private final List<String> lines = new ArrayList<>();

  private PlanText(Plan plan) {
    this.plan = plan;
    this.workload = plan.workload();
  }

  static List<String> of(Plan plan) {
    PlanText text = new PlanText(plan);
    text.needs();
    plan.storage().ifPresent(text::limits);
    text.lines.add("");
    plan.storage().ifPresentOrElse(text::verdict, text::noStorage);
    text.busy();
    plan.workers().ifPresent(text::workers);
    text.packing();
    plan.prefetch().ifPresent(text::prefetch);
    return text.lines;
  }

  private void needs() {
    lines.add(row("", "each GPU", workload.loaders() == 1 ? "" : gpus()));
    perGpu("examples/s", plan.examplesPerSecond());
    perGpu("reads/s", plan.examplesPerSecond());
    lines.add(
        row(
            "bandwidth",
            ByteRate.words(plan.bytesPerSecond() / workload.loaders()),
            together(ByteRate.words(plan.bytesPerSecond()))));
    plan.storage().ifPresent(check -> perGpu("reads in flight", check.readsInFlight()));
    plan.workers()
        .ifPresent(
            workers -> {
              perGpu("workers", (double) workers.needed() * workload.loaders());
              workers.processors().ifPresent(processors -> perGpu("processors", processors));
            });
    plan.prefetch()
        .ifPresent(
            prefetch ->
                lines.add(
                    row(
                        "prefetch memory",
                        bytes(prefetch.bytesOfLoader()),
                        together(bytes(prefetch.bytesOfLoader() * workload.loaders())))));
    plan.epochSeconds()
        .ifPresent(seconds -> lines.add(row("time of an epoch", TimeSpan.words(seconds), "")));
  }

  private void limits(Check check) {
    Storage storage = check.storage();
    lines.add("");
    lines.add(row(storage.name(), "needed", "given") + "    used");
    for (Limit limit : check.limits()) {
      lines.add(
          row(nameInTable(limit), amount(limit, limit.needed()), amount(limit, limit.given()))
              + String.format(Locale.ROOT, "%8s", Output.percent(limit.load())));
    }
    line(
        "(a read takes %s; figures: %s)",
        TimeSpan.words(storage.latencySeconds()), storage.source());
  }

  private static String nameInTable(Limit limit) {
    return limit.kind() == Kind.LATENCY ? "latency: in flight" : limit.kind().words;
  }

  private void noStorage() {
    line("Add --storage, one of %s, to see whether a storage suffices.", Storage.names());
  }

  private void verdict(Check check) {
    String name = check.storage().name();
    Limit nearest = check.nearest();
    switch (check.verdict()) {
      case SUFFICES ->
          line(
              "%s suffices: the nearest limit is %s, of which %s is used.",
              name, nearest.kind().words, Output.percent(nearest.load()));
      case TIGHT -> {
        line(
            "%s is tight: %s of its %s is used, and above %s reads wait for each other.",
            name, Output.percent(nearest.load()), nearest.kind().words, Output.percent(Plan.TIGHT));
        advice(check);
      }
      case TOO_SLOW -> {
        line(
            "%s is too slow by a factor of %s: the limit is %s, with %s needed and %s given.",
            name,
            factor(nearest.load()),
            nearest.kind().words,
            withUnit(nearest, nearest.needed()),
            withUnit(nearest, nearest.given()));
        advice(check);
      }
    }
  }

  private void advice(Check check) {
    lines.add(
        switch (check.nearest().kind()) {
          case LATENCY ->
              "Set more workers, so that more reads run at once; or copy the examples to a local disk.";
          case READS ->
              plan.packed().isPresent()
                  ? "Pack the examples, see below, or copy them to a storage with more reads/s."
                  : "Copy the examples to a storage with more reads/s, or to local disks.";
          case BANDWIDTH ->
              "Fewer bytes help, such as feedline convert --resize, or copies on local disks;"
                  + " packing does not.";
        });
  }

  private void busy() {
    if (plan.busy() < 1) {
      line(
          "GPUs compute at most %s of the time, at %s of %s examples/s%s.",
          Output.percent(plan.busy()),
          count(plan.examplesPerSecond() * plan.busy()),
          count(plan.examplesPerSecond()),
          plan.epochSeconds().isEmpty()
              ? ""
              : "; an epoch takes "
                  + TimeSpan.words(plan.epochSeconds().getAsDouble() / plan.busy()));
    }
  }

  private void workers(Plan.Workers workers) {
    String each =
        "%s examples/s x %s"
            .formatted(
                count(workload.examplesPerSecondOfGpu()),
                TimeSpan.words(workers.secondsPerExample()));
    if (workers.needed() > Plan.MOST_WORKERS) {
      line(
          "Each GPU's loader would need %s workers (%s), but can have at most %s.",
          workers.needed(), each, Plan.MOST_WORKERS);
    } else if (workload.workers().isPresent() && plan.workersLoad() > 1) {
      line(
          "%s for each GPU's loader %s too few: set numWorkers(%s) (%s).",
          Counts.of(workload.workers().getAsInt(), "worker"),
          workload.workers().getAsInt() == 1 ? "is" : "are",
          workers.needed(),
          each);
    } else {
      line(
          "Each GPU's loader needs %s: numWorkers(%s) or more (%s).",
          Counts.of(workers.needed(), "worker"), workers.needed(), each);
    }
  }

  private void packing() {
    if (plan.packed().isEmpty()) {
      line(
          "Packing changes little: examples are as large as the pieces in which shards are read, %s.",
          ByteSize.words(Plan.PACKED_READ));
      return;
    }
    Plan.Packed packed = plan.packed().get();
    line(
        "Packed into shards that are read from front to back, %s reads/s become %s of %s; the"
            + " bandwidth stays %s%s.",
        count(plan.examplesPerSecond()),
        count(packed.readsPerSecond()),
        ByteSize.words(Plan.PACKED_READ),
        ByteRate.words(plan.bytesPerSecond()),
        packed.storage().map(PlanText::thenInWords).orElse(""));
    boolean helps =
        packed.storage().isPresent()
            && plan.storage().orElseThrow().verdict() != Verdict.SUFFICES
            && packed.storage().get().nearest().load()
                < plan.storage().orElseThrow().nearest().load();
    if (helps) {
      lines.add("  feedline convert SRC DST --to webdataset --shard-size 256M");
      lines.add(
          "  and in the program: WebDataset.builder(...).stream(), shuffleShards(true), shuffleBuffer(n)");
    }
  }

  private static String thenInWords(Check check) {
    String name = check.storage().name();
    Limit nearest = check.nearest();
    return switch (check.verdict()) {
      case SUFFICES ->
          ", and %s then suffices, with %s of its %s used"
              .formatted(name, Output.percent(nearest.load()), nearest.kind().words);
      case TIGHT ->
          ", and %s is then tight, with %s of its %s used"
              .formatted(name, Output.percent(nearest.load()), nearest.kind().words);
      case TOO_SLOW ->
          ", and %s is then too slow by a factor of %s, for its %s"
              .formatted(name, factor(nearest.load()), nearest.kind().words);
    };
  }

  private void prefetch(Plan.Prefetch prefetch) {
    line(
        "Each loader holds %s ahead and %s open, of %s each%s; they hide a single read of up to %s.",
        Counts.of(prefetch.batches(), "batch"),
        Plan.OPEN_BATCHES,
        bytes(prefetch.bytesOfLoader() / (prefetch.batches() + Plan.OPEN_BATCHES)),
        workload.rowBytes().isPresent() ? "" : " as stored (--tensor-size: as decoded)",
        TimeSpan.words(prefetch.hiddenSeconds()));
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  private void perGpu(String name, double all) {
    lines.add(row(name, count(all / workload.loaders()), together(count(all))));
  }

  private String gpus() {
    return "all " + workload.loaders();
  }

  private String together(String words) {
    return workload.loaders() == 1 ? "" : words;
  }

  private static String row(String name, String first, String second) {
    return String.format(Locale.ROOT, "%-18s%14s%14s", name, first, second).stripTrailing();
  }

  private static String amount(Limit limit, double value) {
    return limit.kind() == Kind.BANDWIDTH ? ByteRate.words(value) : count(value);
  }

  private static String withUnit(Limit limit, double value) {
    return switch (limit.kind()) {
      case LATENCY -> count(value) + " reads in flight";
      case READS -> count(value) + " reads/s";
      case BANDWIDTH -> ByteRate.words(value);
    };
  }

  private static String bytes(double value) {
    return ByteSize.words(Math.round(value));
  }

  /** A number with three digits or more. */
  private static String count(double value) {
    int decimals = value >= 99.95 || value == Math.rint(value) ? 0 : value >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  private static String factor(double load) {
    return String.format(Locale.ROOT, load < 10 ? "%.2f" : "%.0f", load);
  }
}

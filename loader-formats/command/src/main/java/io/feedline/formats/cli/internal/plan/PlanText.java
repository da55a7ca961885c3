package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.plan.Plan.Demand;
import io.feedline.formats.cli.internal.plan.Plan.Kind;
import io.feedline.formats.cli.internal.plan.Plan.Limit;
import io.feedline.formats.cli.internal.plan.Plan.Verdict;
import io.feedline.internal.Counts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleFunction;
import org.jspecify.annotations.Nullable;

/** The text of a plan: the verdict, its consequences, and a table of the figures. */
final class PlanText {

  private static final String ROW = "%-18s%14s%14s%16s%8s";

  private final Plan plan;
  private final Plan.Workload work;
  private final @Nullable Demand storage;
  private final List<String> lines = new ArrayList<>();

  private PlanText(Plan plan) {
    this.plan = plan;
    this.work = plan.workload();
    this.storage = plan.storage();
  }

  static List<String> of(Plan plan) {
    PlanText text = new PlanText(plan);
    text.verdict();
    text.workers();
    text.packing();
    text.table();
    return text.lines;
  }

  private void verdict() {
    if (storage == null) {
      line("Add --storage, one of %s, to see whether a storage suffices.", Storage.names());
    } else {
      line("%s.", words(storage));
    }
    if (plan.busy() < 1) {
      line(
          "GPUs compute at most %s of the time, at %s of %s examples/s.",
          Output.percent(plan.busy()),
          count(plan.examplesPerSecond() * plan.busy()),
          count(plan.examplesPerSecond()));
    }
    if (storage != null && storage.verdict() != Verdict.SUFFICES) {
      lines.add(
          switch (storage.nearest().kind()) {
            case READS_IN_FLIGHT ->
                "Set more workers, so that more reads run at once; or copy the examples to a local"
                    + " disk.";
            case READS_PER_SECOND ->
                "Copy the examples to a storage with more reads/s, or pack them.";
            case BANDWIDTH ->
                "Fewer bytes help, such as feedline convert --resize, or copies on local disks;"
                    + " packing does not.";
          });
    }
  }

  private static String words(Demand demand) {
    Limit nearest = demand.nearest();
    Kind kind = nearest.kind();
    String name = demand.storage().name();
    String used = Output.percent(nearest.load()) + " of its " + kind.words;
    return switch (demand.verdict()) {
      case SUFFICES -> "%s suffices: %s is used, its nearest limit".formatted(name, used);
      case TIGHT ->
          "%s is tight: %s is used, and above %s reads wait for each other"
              .formatted(name, used, Output.percent(Plan.TIGHT));
      case TOO_SLOW ->
          "%s is too slow by a factor of %s: its limit is %s, %s needed and %s given"
              .formatted(
                  name,
                  Counts.number(nearest.load()),
                  kind.words,
                  amount(kind).apply(nearest.needed()),
                  amount(kind).apply(nearest.given()));
    };
  }

  private void workers() {
    Plan.Workers workers = plan.workers();
    if (workers != null) {
      boolean tooMany = workers.needed() > Plan.MOST_WORKERS;
      line(
          "Each GPU's loader %s %s%s (%s examples/s x %s).",
          tooMany ? "would need" : "needs",
          Counts.of(workers.needed(), "worker"),
          tooMany
              ? ", but can have at most " + Plan.MOST_WORKERS
              : "%s: numWorkers(%s) or more"
                  .formatted(
                      workers.load() > 1 ? ", and has " + work.workers() : "", workers.needed()),
          count(work.examplesPerSecondOfGpu()),
          TimeSpan.words(workers.secondsPerExample()));
    }
  }

  private void packing() {
    Demand packed = plan.packed();
    if (storage != null
        && packed != null
        && storage.verdict() != Verdict.SUFFICES
        && packed.nearest().load() < storage.nearest().load()) {
      line(
          "Packed into shards that are read from front to back, %s reads/s become %s of %s; then %s:",
          count(plan.examplesPerSecond()),
          count(plan.bytesPerSecond() / Plan.PACKED_READ),
          ByteSize.words(Plan.PACKED_READ),
          words(packed));
      lines.add("  feedline convert SRC DST --to webdataset --shard-size 256M");
      lines.add("  and WebDataset.builder(...).stream(), shuffleShards(true), shuffleBuffer(n)");
    }
  }

  private void table() {
    lines.add("");
    boolean several = work.gpus() > 1;
    line(
        ROW,
        "",
        "each GPU",
        several ? "all " + work.gpus() : "",
        storage == null ? "" : storage.storage().name(),
        storage == null ? "" : "used");
    row("examples/s", plan.examplesPerSecond(), PlanText::count, null);
    if (storage == null) {
      row("reads/s", plan.examplesPerSecond(), PlanText::count, null);
      row("bandwidth", plan.bytesPerSecond(), PlanText::rate, null);
    } else {
      storage
          .limits()
          .forEach(each -> row(each.kind().words, each.needed(), amount(each.kind()), each));
    }
    Plan.Workers workers = plan.workers();
    if (workers != null) {
      row("workers", (double) workers.needed() * work.gpus(), PlanText::count, null);
      if (workers.processors() != null) {
        row("processors", workers.processors(), PlanText::count, null);
      }
    }
    row(
        work.tensorBytes() == null ? "memory, as stored" : "prefetch memory",
        plan.prefetchBytes() * work.gpus(),
        bytes -> ByteSize.words(Math.round(bytes)),
        null);
    if (storage != null) {
      Storage figures = storage.storage();
      line("(a read takes %s; %s)", TimeSpan.words(figures.latencySeconds()), figures.source());
    }
  }

  private void row(
      String name, double all, DoubleFunction<String> words, @Nullable Limit storages) {
    line(
        ROW,
        name,
        words.apply(all / work.gpus()),
        work.gpus() == 1 ? "" : words.apply(all),
        storages == null ? "" : words.apply(storages.given()),
        storages == null ? "" : Output.percent(storages.load()));
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values).stripTrailing());
  }

  private static DoubleFunction<String> amount(Kind kind) {
    return kind == Kind.BANDWIDTH ? PlanText::rate : PlanText::count;
  }

  private static String rate(double bytesPerSecond) {
    return ByteSize.words(Math.round(bytesPerSecond)) + "/s";
  }

  /** Returns a number; a whole number has no decimal places. */
  private static String count(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : Counts.number(value);
  }
}

package io.feedline.formats.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** The plans of some orders of ranks in lines for people. */
final class RankText {

  private final RankWorkload workload;
  private final Optional<String> storage;
  private final List<String> lines = new ArrayList<>();

  private RankText(RankWorkload workload, Optional<String> storage) {
    this.workload = workload;
    this.storage = storage;
  }

  /**
   * Prints.
   *
   * @param storage the name of the storage that the first batches are read from
   */
  static List<String> of(RankWorkload workload, List<RankPlan> plans, Optional<String> storage) {
    RankText text = new RankText(workload, storage);
    text.table(plans);
    plans.forEach(text::sentences);
    text.notes();
    return text.lines;
  }

  private void table(List<RankPlan> plans) {
    lines.add(
        "%d ranks, %d on a node, share %d examples%s, in batches of %d for each rank:"
            .formatted(
                workload.ranks(),
                workload.ranksOfNode(),
                workload.examples(),
                workload.shards().isPresent()
                    ? " in %d shards".formatted(workload.shards().getAsInt())
                    : "",
                workload.batchSize()));
    lines.add("");
    row("order", "steps", "examples", "memory", "first batch", "shards", "of a node");
    for (RankPlan plan : plans) {
      row(
          plan.order().toString(),
          words(plan.steps()),
          words(plan.examples()),
          plan.bytes() == 0 ? "none" : ByteSize.words(plan.bytes()),
          plan.firstBatchSeconds().isPresent()
              ? TimeSpan.words(plan.firstBatchSeconds().getAsDouble())
              : "",
          words(plan.shardsOfRank()),
          words(plan.shardsOfNode()));
    }
  }

  private void sentences(RankPlan plan) {
    lines.add("");
    lines.add("%s: %s".formatted(plan.order(), plan.order().option()));
    lines.add("  " + each(plan));
    if (plan.order() == RankOrder.STREAM_SAMPLES) {
      lines.add(
          "  Each rank reads all %d examples and makes its own only: %d until its first batch."
              .formatted(workload.examples(), plan.readsOfFirstBatch()));
    }
    if (plan.storageSeconds().isPresent()) {
      lines.add(
          "  The first batches of all ranks take %s %s."
              .formatted(
                  storage.orElseThrow(), TimeSpan.words(plan.storageSeconds().getAsDouble())));
    }
    plan.resumed().ifPresent(resumed -> lines.add("  " + resumed(plan, resumed)));
  }

  private static String each(RankPlan plan) {
    String steps =
        plan.steps().equalForAll()
            ? "All ranks make %s steps".formatted(words(plan.steps()))
            : plan.steps().fewest().isPresent()
                ? "Ranks make %s steps".formatted(words(plan.steps()))
                : "Each rank makes as many steps as its shards have";
    String once =
        switch (plan.remainder()) {
          case PAD ->
              plan.readTwice() == 0
                  ? "each example is read once"
                  : "each example is read once, but for the first %d of the order, which are read again at its end"
                      .formatted(plan.readTwice());
          case DROP ->
              plan.leftOut() == 0
                  ? "each example is read once"
                  : "each example is read once, but for %d, which are left out"
                      .formatted(plan.leftOut());
          case EXACT -> "each example is read once";
        };
    return "%s; %s (%s).".formatted(steps, once, plan.remainder().name().toLowerCase(Locale.ROOT));
  }

  private String resumed(RankPlan plan, RankPlan.Resumed resumed) {
    RankWorkload.Resume resume = workload.resume().orElseThrow();
    if (!resumed.possible()) {
      return "%d ranks cannot go on behind step %d: %s"
          .formatted(resume.ranks(), resume.step(), resumed.refusal());
    }
    return "%d ranks go on behind step %d, where %d examples have been used up%s; %s steps are left."
        .formatted(
            resume.ranks(),
            resume.step(),
            resumed.samplesBefore(),
            plan.order().streams()
                ? ", which are read once more where the stream cannot seek"
                : resumed.firstExample().isPresent()
                    ? ": rank 0 goes on with example " + resumed.firstExample().getAsLong()
                    : "",
            words(resumed.steps()));
  }

  private void notes() {
    lines.add("");
    lines.add("memory: of a rank's order.");
    lines.add(
        "first batch: to make the order and the indices of a first batch, measured on this machine,"
            + " for ranks 0, %d and %d; no data was read."
                .formatted(workload.ranks() / 2, workload.ranks() - 1));
    if (workload.shards().isPresent()) {
      lines.add(
          "shards: opened in an epoch by rank 0, and by the %d ranks of its node together."
              .formatted(workload.ranksOfNode()));
    }
  }

  private void row(Object... columns) {
    lines.add(String.format(Locale.ROOT, "%-16s%10s%12s%12s%14s%9s%11s", columns).stripTrailing());
  }

  private static String words(RankPlan.Range range) {
    if (range.fewest().isEmpty()) {
      return "differ";
    }
    return range.equalForAll()
        ? Long.toString(range.most().getAsLong())
        : "%d to %d".formatted(range.fewest().getAsLong(), range.most().getAsLong());
  }

  private static String words(OptionalInt count) {
    return count.isPresent() ? Integer.toString(count.getAsInt()) : "";
  }
}

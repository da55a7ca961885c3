package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.internal.Counts;
import io.feedline.sampler.DistributedSampler.Remainder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The costs of orders that ranks share, by arithmetic that a test compares with all loaders. */
final class RankPlan {
  private static final int MOST_RANKS = 1 << 20;
  private static final long MOST_EXAMPLES = 1_000_000_000_000L;

  /** The kinds of order, with the loader's option that gives each. */
  enum Kind {
    SEQUENTIAL("shuffle(false)", false),
    SHUFFLE("shuffle(true)", false),
    SHARDS("sampler(ShardedSampler.of(sizes, window, seed))", true),
    RUNS("sampler(ShardedSampler.builder(sizes).runs(n).build())", true),
    DEAL("sampler(ShardedSampler.builder(sizes).deal(world, remainder).build())", true),
    STREAM("a stream that declares its shards' sizes, shuffleShards(true)", true),
    STREAM_SAMPLES("a stream of one source, or of unknown sizes", false);

    private final String option;
    private final boolean needsShards;

    Kind(String option, boolean needsShards) {
      this.option = option;
      this.needsShards = needsShards;
    }
  }

  /** A number that may differ among ranks, or be known only so far. */
  record Range(long fewest, long most) {
    @Override
    public String toString() {
      return fewest == most ? Long.toString(most) : fewest + " to " + most;
    }
  }

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description =
          "Ranks that share an epoch, in place of --gpus: tells what each kind of order costs a"
              + " rank, and whether the ranks make equally many steps. Needs --examples and"
              + " --batch-size.")
  private Integer ranks;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description = "Shards of the data set, for --ranks: for the orders that read shard by shard.")
  private Integer shards;

  @Option(
      names = "--order",
      paramLabel = "KIND",
      description =
          "One of sequential, shuffle, shards, runs, deal, stream, stream-samples. Default: all.")
  private String order;

  @Option(
      names = "--remainder",
      paramLabel = "KIND",
      description =
          "The treatment of examples that cannot be dealt evenly: pad, drop or exact. Default: pad,"
              + " and drop for streams.")
  private String remainder;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs that the order runs cuts the shards into. Default: --ranks.")
  private Integer runs;

  @Option(
      names = "--ranks-per-node",
      paramLabel = "N",
      description = "Ranks of a machine, with consecutive numbers. Default: 8.")
  private int ranksPerNode = 8;

  @Option(
      names = "--resume-ranks",
      paramLabel = "N",
      description = "Another number of ranks, which continues the epoch after --at-step.")
  private Integer resumeRanks;

  @Option(
      names = "--at-step",
      paramLabel = "N",
      description = "Steps that --ranks have made before --resume-ranks continue.")
  private Long atStep;

  private long examples;
  private int batchSize;

  /** Returns the number of ranks, with all options checked; empty where it was not given. */
  Optional<Integer> ranks(Integer batchSize, long examples) {
    if (ranks == null) {
      List<String> alone =
          Stream.of(
                  "--at-step --order --ranks-per-node --remainder --resume-ranks --runs --shards"
                      .split(" "))
              .filter(command.commandLine().getParseResult()::hasMatchedOption)
              .toList();
      String message = " without --ranks, the number of ranks that share an epoch";
      require(alone.isEmpty(), String.join(", ", alone) + message);
      return Optional.empty();
    }
    range("--ranks", ranks, MOST_RANKS);
    require(batchSize != null, "--ranks needs --batch-size, the examples of a rank's step");
    require(examples > 0, "--ranks needs --examples, how many the ranks share");
    this.examples = examples;
    this.batchSize = batchSize;
    runs = runs == null ? ranks : runs;
    range("--examples", examples, MOST_EXAMPLES);
    range("--batch-size", batchSize, MOST_RANKS);
    range("--shards", shards, Math.min(examples, Integer.MAX_VALUE / 64));
    range("--runs", runs, MOST_RANKS);
    range("--ranks-per-node", ranksPerNode, MOST_RANKS);
    range("--resume-ranks", resumeRanks, MOST_RANKS);
    range("--at-step", atStep, MOST_EXAMPLES);
    require(
        (resumeRanks == null) == (atStep == null),
        "--resume-ranks and --at-step go together: how many ranks continue, and after which step");
    return Optional.of(ranks);
  }

  private List<Kind> kinds() {
    Kind one = order == null ? null : choice("--order", order, Kind.values());
    require(
        one == null || !one.needsShards || shards != null,
        "--order %s needs --shards, the number of shards".formatted(order));
    return Stream.of(Kind.values())
        .filter(k -> one == null ? !k.needsShards || shards != null : k == one)
        .toList();
  }

  /** Returns what becomes of examples that cannot be dealt evenly: a stream cannot repeat any. */
  private Remainder remainder(Kind kind) {
    Remainder given =
        remainder == null ? Remainder.PAD : choice("--remainder", remainder, Remainder.values());
    boolean streams = kind == Kind.STREAM || kind == Kind.STREAM_SAMPLES;
    return streams && given == Remainder.PAD ? Remainder.DROP : given;
  }

  private <E extends Enum<E>> E choice(String option, String text, E[] values) {
    List<String> names = Stream.of(values).map(Output::name).toList();
    int found = names.indexOf(text.toLowerCase(Locale.ROOT));
    String wrong = "Invalid value for option '%s': '%s' is none of %s";
    require(found >= 0, wrong.formatted(option, text, String.join(", ", names)));
    return values[found];
  }

  private void range(String option, Number value, long most) {
    require(
        value == null || (value.longValue() >= 1 && value.longValue() <= most),
        "%s must be from 1 to %s with --ranks, was %s".formatted(option, most, value));
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(command.commandLine(), message);
    }
  }

  /** Returns the plans of the orders as JSON, and adds them in lines for people. */
  Map<String, Object> plan(List<String> lines) {
    int ofNode = Math.min(ranks, ranksPerNode);
    String in = shards == null ? "" : " in " + Counts.of(shards, "shard");
    String title = "%s, %d on a node, share %s%s, in batches of %d for each rank:";
    lines.addAll(
        List.of(
            title.formatted(
                Counts.of(ranks, "rank"), ofNode, Counts.of(examples, "example"), in, batchSize),
            ""));
    lines.add(row("order", "steps", "examples", "shards", "of a node"));
    List<String> sentences = new ArrayList<>();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("count", ranks);
    json.put("per_node", ranksPerNode);
    json.put("examples", examples);
    json.put("shards", shards);
    json.put("batch_size", batchSize);
    json.put("runs", runs);
    json.put("resume_ranks", resumeRanks);
    json.put("at_step", atStep);
    json.put("orders", kinds().stream().map(kind -> plan(kind, lines, sentences)).toList());
    lines.addAll(sentences);
    return json;
  }

  private Map<String, Object> plan(Kind kind, List<String> lines, List<String> sentences) {
    Remainder rest = remainder(kind);
    Range own = share(kind, examples, ranks, 1);
    Range steps = share(kind, examples, ranks, batchSize);
    long twice = rest == Remainder.PAD ? own.most * ranks - examples : 0;
    long out = rest == Remainder.DROP ? examples - own.fewest * ranks : 0;
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("order", Output.name(kind));
    json.put("remainder", Output.name(rest));
    json.put("fewest_steps", steps.fewest);
    json.put("most_steps", steps.most);
    json.put("fewest_examples", own.fewest);
    json.put("most_examples", own.most);
    json.put("read_twice", twice);
    json.put("left_out", out);
    json.put("shards_of_rank", shardsOf(kind, 1));
    json.put("shards_of_node", shardsOf(kind, ranksPerNode));
    lines.add(row(Output.name(kind), steps, own, shardsOf(kind, 1), shardsOf(kind, ranksPerNode)));
    sentences.addAll(List.of("", "%s: %s".formatted(Output.name(kind), kind.option)));
    String but = twice > 0 ? ", but for %d that are read again at the end".formatted(twice) : "";
    but = out > 0 ? ", but for %d that are left out".formatted(out) : but;
    sentences.add("  Each example is read once%s (%s).".formatted(but, Output.name(rest)));
    json.put("resume", resumeRanks == null ? null : resume(kind, steps, sentences));
    return json;
  }

  private Map<String, Object> resume(Kind kind, Range steps, List<String> sentences) {
    long before = Math.min(examples, Math.min(atStep, steps.fewest) * batchSize * ranks);
    String refusal = refusal(kind, steps);
    Range left = share(kind, examples - before, resumeRanks, batchSize);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("possible", refusal == null);
    json.put("refusal", refusal);
    json.put("examples_before", before);
    json.put("fewest_steps_left", refusal == null ? left.fewest : null);
    json.put("most_steps_left", refusal == null ? left.most : null);
    String can = refusal == null ? "can continue" : "cannot continue";
    String then = ": %s %s used, and each rank has %s %s left";
    String end =
        refusal == null
            ? then.formatted(
                Counts.of(before, "example"),
                before == 1 ? "is" : "are",
                left,
                Counts.noun((double) left.most, "step"))
            : ": " + refusal;
    sentences.add(
        "  %s %s after step %d%s.".formatted(Counts.of(resumeRanks, "rank"), can, atStep, end));
    return json;
  }

  /** Returns why other ranks cannot continue; null if they can. */
  private @Nullable String refusal(Kind kind, Range steps) {
    if (atStep > steps.fewest) {
      return "an epoch of %s has only %s"
          .formatted(Counts.of(ranks, "rank"), Counts.of(steps.fewest, "step"));
    }
    boolean dealt = kind == Kind.STREAM && shards >= Math.min(ranks, resumeRanks);
    return resumeRanks.equals(ranks) || !(dealt || kind == Kind.DEAL)
        ? null
        : "each rank has shards of its own; ShardedSampler.runs lets any number of ranks continue";
  }

  /** Returns the batches of a rank, if so many share the rest; bounds for a stream's shards. */
  private Range share(Kind kind, long rest, int count, int batch) {
    Remainder remainder = remainder(kind);
    long fewest = remainder == Remainder.PAD ? ceil(rest, count) : rest / count;
    long most = remainder == Remainder.DROP ? rest / count : ceil(rest, count);
    if (kind == Kind.STREAM && shards >= count) {
      long own = shards / count;
      long ofRichest = remainder == Remainder.EXACT ? ceil(shards, count) : own;
      fewest = rest / shards * own + Math.max(0, own - (shards - rest % shards));
      most = rest / shards * ofRichest + Math.min(ofRichest, rest % shards);
    }
    return new Range(ceil(fewest, batch), ceil(most, batch));
  }

  /** Returns how many shards the first ranks open in an epoch, at most; null without shards. */
  private @Nullable Integer shardsOf(Kind kind, int first) {
    // Ranks that read the same runs are this far apart, and each run begins within a shard.
    int apart = kind == Kind.RUNS ? gcd(runs, ranks) : ranks;
    int of = Math.min(first, apart);
    return switch (kind) {
      case RUNS ->
          (int) Math.min(shards, ceil((long) shards * of, apart) + (long) runs / apart * of);
      case DEAL -> (int) Math.min(shards, ceil((long) shards * of, apart) + 1);
      case STREAM -> (int) ((long) shards / ranks * of) + Math.min(of, shards % ranks);
      default -> shards;
    };
  }

  private static int gcd(int a, int b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  private static long ceil(long value, long by) {
    return (value + by - 1) / by;
  }

  private static String row(Object... columns) {
    Object[] words = Stream.of(columns).map(each -> each == null ? "" : each).toArray();
    return String.format(Locale.ROOT, "%-16s%16s%20s%9s%11s", words).stripTrailing();
  }
}

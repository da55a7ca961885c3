package io.feedline.formats.cli;

import io.feedline.sampler.Remainder;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The ranks that share an epoch, as a command takes them. */
final class RankOptions {

  private static final int MOST_RANKS = 1 << 20;
  private static final int MOST_BATCH_SIZE = 1 << 20;
  private static final long MOST_EXAMPLES = 1_000_000_000_000L;
  private static final int RANKS_PER_NODE = 8;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      description = {
        "Ranks that share an epoch, in place of --gpus: tells what each kind of order costs a rank,"
            + " and whether the ranks make equally many steps. Needs --examples and --batch-size."
      })
  private Integer ranks;

  @Option(
      names = "--shards",
      paramLabel = "N",
      description = "Shards of the data set, for --ranks: for the orders that read shard by shard.")
  private Integer shards;

  @Option(
      names = "--order",
      paramLabel = "KIND",
      converter = RankOrder.Converter.class,
      description =
          "One of sequential, shuffle, shards, runs, deal, stream, stream-samples. Default: all.")
  private RankOrder order;

  @Option(
      names = "--remainder",
      paramLabel = "KIND",
      converter = RemainderConverter.class,
      description = {
        "What becomes of examples that cannot be dealt evenly: pad, drop or exact. Default: pad, and"
            + " drop for streams."
      })
  private Remainder remainder;

  @Option(
      names = "--window-shards",
      paramLabel = "N",
      description = "Shards that the orders shards, runs and deal read at a time. Default: 16.")
  private Integer windowShards;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Runs that the order runs cuts the shards into. Default: --ranks.")
  private Integer runs;

  @Option(
      names = "--ranks-per-node",
      paramLabel = "N",
      description = "Ranks of a machine, with consecutive numbers. Default: 8.")
  private Integer ranksPerNode;

  @Option(
      names = "--resume-ranks",
      paramLabel = "N",
      description = "Another number of ranks that is to go on within the epoch, behind --at-step.")
  private Integer resumeRanks;

  @Option(
      names = "--at-step",
      paramLabel = "N",
      description = "How many steps --ranks have made when --resume-ranks go on.")
  private Long atStep;

  /** The number of ranks; empty where it was not given. */
  OptionalInt ranks() {
    return ranks == null ? OptionalInt.empty() : OptionalInt.of(ranks);
  }

  /**
   * The epoch that ranks share; empty without ranks.
   *
   * @param batchSize of a rank; null where it was not given
   * @param examples of the data set; 0 where they were not given
   * @throws ParameterException if something is missing or out of range
   */
  Optional<RankWorkload> workload(Integer batchSize, long examples) {
    if (ranks == null) {
      requireNothingElse();
      return Optional.empty();
    }
    range("--ranks", ranks, MOST_RANKS);
    require(batchSize != null, "--ranks needs --batch-size, the examples of a rank's step");
    require(examples > 0, "--ranks needs --examples, how many the ranks share");
    range("--examples", examples, MOST_EXAMPLES);
    range("--batch-size", batchSize, MOST_BATCH_SIZE);
    rangeIfGiven("--shards", shards, Math.min(examples, Integer.MAX_VALUE / 64));
    rangeIfGiven("--window-shards", windowShards, Integer.MAX_VALUE);
    rangeIfGiven("--runs", runs, MOST_RANKS);
    rangeIfGiven("--ranks-per-node", ranksPerNode, MOST_RANKS);
    rangeIfGiven("--resume-ranks", resumeRanks, MOST_RANKS);
    rangeIfGiven("--at-step", atStep, MOST_EXAMPLES);
    require(
        (resumeRanks == null) == (atStep == null),
        "--resume-ranks and --at-step go together: how many ranks go on, and behind which step");
    require(
        order == null || !order.needsShards() || shards != null,
        "--order %s needs --shards, the number of shards".formatted(order));
    return Optional.of(
        new RankWorkload(
            ranks,
            ranksPerNode == null ? RANKS_PER_NODE : ranksPerNode,
            examples,
            shards == null ? OptionalInt.empty() : OptionalInt.of(shards),
            batchSize,
            Optional.ofNullable(remainder),
            windowShards == null ? 16 : windowShards,
            runs == null ? ranks : runs,
            resumeRanks == null
                ? Optional.empty()
                : Optional.of(new RankWorkload.Resume(resumeRanks, atStep))));
  }

  /** The orders to plan: the one that was named, or all that there can be. */
  List<RankOrder> orders() {
    return order != null
        ? List.of(order)
        : Arrays.stream(RankOrder.values())
            .filter(each -> shards != null || !each.needsShards())
            .toList();
  }

  private void requireNothingElse() {
    Map<String, Object> others = new TreeMap<>();
    others.put("--at-step", atStep == null ? "" : atStep);
    others.put("--order", order == null ? "" : order);
    others.put("--ranks-per-node", ranksPerNode == null ? "" : ranksPerNode);
    others.put("--remainder", remainder == null ? "" : remainder);
    others.put("--resume-ranks", resumeRanks == null ? "" : resumeRanks);
    others.put("--runs", runs == null ? "" : runs);
    others.put("--shards", shards == null ? "" : shards);
    others.put("--window-shards", windowShards == null ? "" : windowShards);
    others.values().removeIf(""::equals);
    require(
        others.isEmpty(),
        "%s without --ranks, the number of ranks that share an epoch"
            .formatted(String.join(", ", others.keySet())));
  }

  private void rangeIfGiven(String option, Number value, long most) {
    if (value != null) {
      range(option, value.longValue(), most);
    }
  }

  private void range(String option, long value, long most) {
    require(
        value >= 1 && value <= most,
        "%s must be from 1 to %s with --ranks, was %s".formatted(option, most, value));
  }

  private void require(boolean condition, String message) {
    if (!condition) {
      throw new ParameterException(command.commandLine(), message);
    }
  }

  /** Reads a remainder in any case. */
  private static final class RemainderConverter implements ITypeConverter<Remainder> {
    @Override
    public Remainder convert(String text) {
      return Arrays.stream(Remainder.values())
          .filter(each -> each.name().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException("'%s' is none of %s".formatted(text, remainders())));
    }

    private static String remainders() {
      return Arrays.stream(Remainder.values())
          .map(each -> each.name().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", "));
    }
  }
}

package io.feedline.stats.internal;

import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls.Stall;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The figures of a run: what a {@link RunRecord} is made of.
 *
 * @param stats the loader's figures
 * @param waits how many waits there were of which length
 * @param level how the service level was kept; null if absent
 * @param levelMeasured whether its step time is what the consumer was seen to take
 * @param spans the steps in their order, neighbors together where there are many
 * @param longestStalls of each cause, the longest first
 * @param others the processors that other processes kept busy since the first epoch was begun
 * @param processor the processor time of this process since then; null where that is not known
 */
public record RunFigures(
    LoaderStats stats,
    List<LatencyHistogram.Bin> waits,
    ServiceLevel.@Nullable Report level,
    boolean levelMeasured,
    List<RunLog.Span> spans,
    List<Stall> longestStalls,
    OptionalDouble others,
    ProcessorTime.@Nullable Shares processor) {}

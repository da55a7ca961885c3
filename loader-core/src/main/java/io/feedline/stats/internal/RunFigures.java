package io.feedline.stats.internal;

import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import io.feedline.stats.ServiceLevel;
import io.feedline.stats.Stalls.Stall;
import java.util.List;
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
 * @param machine the use of the machine since the first epoch was begun; null before that
 */
public record RunFigures(
    LoaderStats stats,
    List<LatencyHistogram.Bin> waits,
    ServiceLevel.@Nullable Report level,
    boolean levelMeasured,
    List<RunLog.Span> spans,
    List<Stall> longestStalls,
    MachineLoad.@Nullable Use machine) {}

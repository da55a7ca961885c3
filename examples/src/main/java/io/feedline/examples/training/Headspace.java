package io.feedline.examples.training;

import java.util.Locale;

/**
 * The speed of a training, and its speed if loading took no time. SPDL calls the difference between
 * the two speeds headspace.
 *
 * @param unit what samples are called, in the plural
 * @param loaded the samples a second with the loader
 * @param free the samples a second with batches that were loaded before
 * @param waiting the fraction of the time in which the training waited for the loader, from 0 to 1
 */
record Headspace(String unit, double loaded, double free, double waiting) {

  /** The default number of steps of both runs. */
  static final int STEPS = 100;

  /** The difference between two runs, as a fraction of the time, that occurs by chance. */
  private static final double NOISE = 0.05;

  /** Compares a run that loads its batches with a run that has them already. */
  static Headspace of(EpochReport loaded, EpochReport free) {
    Pace pace = loaded.steadyPace();
    return new Headspace(
        loaded.unit(), pace.perSecond(), free.steadyPace().perSecond(), pace.waitingShare());
  }

  /** Returns the fraction of the time that loading costs, from 0 to 1. */
  private double lost() {
    return Math.max(0, 1 - loaded / free);
  }

  private String advice() {
    if (lost() < NOISE) {
      return "No more could be gained by a faster loader.";
    }
    if (waiting >= lost() / 2) {
      return String.format(
          Locale.ROOT,
          "It waits for batches, %.0f%% of the time. What helps: more --workers if processors are"
              + " idle; a scan index (feedline index); packed files (feedline convert); feedline plan"
              + " tells what the storage must be able to deliver.",
          100 * waiting);
    }
    return String.format(
        Locale.ROOT,
        "It waits for batches only %.0f%% of the time, but its steps are slower while workers load:"
            + " they share the processors. What helps: less work on each image, by a scan index"
            + " (feedline index) or smaller images (feedline convert --resize); fewer --workers; more"
            + " processors.",
        100 * waiting);
  }

  /** Returns both paces in one line, with their meaning and advice. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        " * headspace: %.1f %s/s with this loader; with free data the training would run at %.1f"
            + " %s/s, %.2f times as fast: %.0f%% of the time is spent on data. %s",
        loaded,
        unit,
        free,
        unit,
        free / loaded,
        100 * lost(),
        advice());
  }
}

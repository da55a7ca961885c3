package io.feedline.examples.shared;

import java.util.Locale;

/**
 * A figure that is measured again and again: its last value and its mean, {@code AverageMeter} of
 * PyTorch's ImageNet script.
 */
public final class Meter {
  private final String name;
  private final String format;
  private double last;
  private double sum;
  private long weight;

  /**
   * A meter without values.
   *
   * @param format of one value, for instance {@code %.3f}
   */
  public Meter(String name, String format) {
    this.name = name;
    this.format = format;
  }

  /**
   * Adds a value.
   *
   * @param count how many samples it stands for
   */
  public void add(double value, long count) {
    last = value;
    sum += value * count;
    weight += count;
  }

  /** The mean over all samples; 0 before the first. */
  public double average() {
    return weight == 0 ? 0 : sum / weight;
  }

  /** For example {@code Loss 2.3010 (2.3125)}: the last value and the mean. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s " + format + " (" + format + ")", name, last, average());
  }
}

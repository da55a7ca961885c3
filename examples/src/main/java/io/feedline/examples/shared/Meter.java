package io.feedline.examples.shared;

import java.util.Locale;

/**
 * A figure that is measured repeatedly: its last value and its mean, like {@code AverageMeter} of
 * PyTorch's ImageNet script.
 */
public final class Meter {
  private final String name;
  private final String format;
  private double last;
  private double sum;
  private long weight;

  /**
   * Creates a meter without values.
   *
   * @param format the format of a value, such as {@code %.3f}
   */
  public Meter(String name, String format) {
    this.name = name;
    this.format = format;
  }

  /**
   * Adds a value.
   *
   * @param count the number of samples of which the value is the mean
   */
  public void add(double value, long count) {
    last = value;
    sum += value * count;
    weight += count;
  }

  /** Returns the mean over all samples; 0 before the first value. */
  public double average() {
    return weight == 0 ? 0 : sum / weight;
  }

  /** Returns the name, last value and mean, such as {@code Loss 2.3010 (2.3125)}. */
  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s " + format + " (" + format + ")", name, last, average());
  }
}

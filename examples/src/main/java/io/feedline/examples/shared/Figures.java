package io.feedline.examples.shared;

import io.feedline.progress.Progress.Figure;
import java.util.Locale;

/** The figures that the bars of trainings show. */
public final class Figures {

  private Figures() {}

  /** Returns the mean of a meter as {@code loss}, the name in PyTorch's ImageNet script. */
  public static Figure loss(Meter loss) {
    double mean = loss.average();
    return new Figure(
        format("loss %.4f", mean), format("loss %.3f", mean), format("loss %.2f", mean));
  }

  /** Returns the mean of a meter as a percentage. */
  public static Figure percent(String name, Meter share) {
    double mean = share.average();
    return new Figure(
        format("%s %.2f%%", name, mean), format("%s %.1f%%", name, mean), format("%.1f%%", mean));
  }

  /** Returns the mean of a meter under a name. */
  public static Figure mean(String name, Meter meter, String unit) {
    double mean = meter.average();
    return new Figure(
        format("%s %.2f %s", name, mean, unit),
        format("%s %.2f", name, mean),
        format("%.1f", mean));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

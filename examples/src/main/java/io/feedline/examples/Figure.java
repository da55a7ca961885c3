package io.feedline.examples;

import java.util.List;
import java.util.Locale;

/**
 * A figure of a progress bar, in words that fit a wide terminal, an ordinary one and a narrow one.
 *
 * @param wide for example {@code waiting for data 3.2%}
 * @param medium for example {@code wait 3%}
 * @param narrow for example {@code w3%}
 */
record Figure(String wide, String medium, String narrow) {

  /** The mean of a meter, as PyTorch's ImageNet script calls it. */
  static Figure loss(Meter loss) {
    double mean = loss.average();
    return new Figure(
        format("loss %.4f", mean), format("loss %.3f", mean), format("loss %.2f", mean));
  }

  /** A share in percent, the mean of a meter. */
  static Figure percent(String name, Meter share) {
    double mean = share.average();
    return new Figure(
        format("%s %.2f%%", name, mean), format("%s %.1f%%", name, mean), format("%.1f%%", mean));
  }

  /** A figure with its name, the mean of a meter. */
  static Figure mean(String name, Meter meter, String unit) {
    double mean = meter.average();
    return new Figure(
        format("%s %.2f %s", name, mean, unit),
        format("%s %.2f", name, mean),
        format("%.1f", mean));
  }

  /**
   * How many samples pass in a second, and the share of the time that is spent waiting for them.
   */
  static List<Figure> of(Pace pace, String unit) {
    double rate = pace.perSecond();
    double waiting = 100 * pace.waitingShare();
    return List.of(
        new Figure(format("%.1f %s/s", rate, unit), format("%.1f/s", rate), format("%.0f/s", rate)),
        new Figure(
            format("waiting %.1f%%", waiting),
            format("wait %.0f%%", waiting),
            format("w%.0f%%", waiting)));
  }

  private static String format(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}

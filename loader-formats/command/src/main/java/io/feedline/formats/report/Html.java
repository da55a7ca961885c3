package io.feedline.formats.report;

import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** A formatter of pieces of HTML, and of the numbers in them. */
final class Html {

  private static final String[] UNITS = {"bytes", "KB", "MB", "GB", "TB", "PB", "EB"};
  private static final int LONG = 30;

  private Html() {}

  /** Returns a text, escaped for HTML content and for double-quoted attribute values. */
  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /**
   * Returns a table. Columns of numbers have the style of numbers; a row's first cell is its
   * heading.
   */
  static String table(String caption, List<String> heads, List<List<String>> rows) {
    StringBuilder html = new StringBuilder();
    html.append(
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"%s\">"
                .formatted(text(caption)))
        .append(heads.size() == 2 ? "<table class=\"pairs\">" : "<table>")
        .append("\n<caption>%s</caption>\n<thead><tr>".formatted(text(caption)));
    boolean[] numbers = new boolean[heads.size()];
    for (int i = 0; i < heads.size(); i++) {
      int column = i;
      numbers[i] =
          i > 0 && !rows.isEmpty() && rows.stream().allMatch(row -> isNumber(row.get(column)));
      html.append(
          "<th scope=\"col\"%s>%s</th>"
              .formatted(numbers[i] ? " class=\"n\"" : "", text(heads.get(i))));
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr><th scope=\"row\">%s</th>".formatted(text(row.get(0))));
      for (int i = 1; i < row.size(); i++) {
        String words = row.get(i).length() > LONG ? " class=\"words\"" : "";
        html.append(
            "<td%s data-head=\"%s\">%s</td>"
                .formatted(
                    numbers[i] ? " class=\"n\"" : words, text(heads.get(i)), text(row.get(i))));
      }
      html.append("</tr>\n");
    }
    return html.append("</tbody></table></div>\n").toString();
  }

  /** Returns an ISO 8601 time in UTC in the form {@code 2026-01-31 12:34:56 UTC}. */
  static String moment(String iso) {
    return iso.replace("T", " ").replace("Z", " UTC");
  }

  private static boolean isNumber(String cell) {
    return cell.matches("[<-]?[0-9].{0,11}|");
  }

  static String time(double seconds) {
    return Durations.words(Duration.ofNanos(Math.round(seconds * 1e9)));
  }

  static String time(Duration time) {
    return Durations.words(time);
  }

  static String whole(long number) {
    return String.format(Locale.ROOT, "%,d", number).replace(',', '\u202f');
  }

  static String whole(double number) {
    return whole(Math.round(number));
  }

  static String count(long number, String noun) {
    return whole(number) + " " + Counts.noun((double) number, noun);
  }

  /** Returns a rate or a mean as text; from 100 on without decimals. */
  static String number(double number) {
    double size = Math.abs(number);
    return size >= 99.95
        ? whole(number)
        : String.format(Locale.ROOT, size >= 9.995 ? "%.1f" : "%.2f", number);
  }

  /** Returns a fraction as a percentage, such as {@code 12%}, never rounded to 0% or 100%. */
  static String percent(double share) {
    return Counts.percent(share);
  }

  /** Returns a number of bytes in powers of 1000, such as {@code 1.5 MB}. */
  static String bytes(double bytes) {
    double value = bytes;
    int unit = 0;
    while (value >= 999.5 && unit < UNITS.length - 1) {
      value /= 1000;
      unit++;
    }
    return (unit == 0 ? whole(value) : number(value)) + " " + UNITS[unit];
  }
}

package io.feedline.formats.store.internal.samples;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Need;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The labels of a column of texts. The classes are the different texts, sorted by code points.
 *
 * @param labels the label of each row; {@link EncodedImage#NO_LABEL} if the value is null
 */
public record TextLabels(List<String> classes, int[] labels) {

  private static final int MOST_CLASSES = 1 << 20;

  @FunctionalInterface
  public interface Opener<F> {
    TableFile open(F file) throws IOException;
  }

  /** Reads the labels; if {@code names} is null, the classes are the column's texts. */
  public static <F> TextLabels read(
      List<F> files, Opener<F> opener, String column, @Nullable List<String> names)
      throws IOException {
    Map<String, Integer> numbers = new HashMap<>();
    int[] labels = new int[0];
    int rows = 0;
    for (F each : files) {
      TableFile file = opener.open(each);
      long end = rows + file.knownRows();
      if (end > Integer.MAX_VALUE - 8) {
        throw FormatException.in(
            file.schema().file(), "%d rows have labels that are texts".formatted(end));
      }
      labels = Arrays.copyOf(labels, (int) end);
      for (int group = 0; group < file.rows().length; group++) {
        for (Block block : file.blocks(group, List.of(new Wanted(column, Need.ANY)))) {
          ColumnValues values = block.read().get(0);
          for (int row = 0; row < block.rows(); row++) {
            labels[rows++] = values.isNull(row) ? -1 : number(numbers, values.object(row));
          }
          if (numbers.size() > MOST_CLASSES) {
            throw FormatException.in(
                file.schema().file(),
                "column %s has more than %d different texts, which are no classes; label-field names another column"
                    .formatted(column, MOST_CLASSES));
          }
        }
      }
    }
    return of(numbers, labels, column, names);
  }

  private static int number(Map<String, Integer> numbers, Object value) {
    String text =
        value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : (String) value;
    return numbers.computeIfAbsent(text, first -> numbers.size());
  }

  private static TextLabels of(
      Map<String, Integer> numbers, int[] labels, String column, @Nullable List<String> names)
      throws FormatException {
    TreeSet<String> sorted =
        new TreeSet<>(
            Comparator.comparing(
                (String name) -> name.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned));
    sorted.addAll(numbers.keySet());
    List<String> classes = names == null ? List.copyOf(sorted) : names;
    Map<String, Integer> indexes = new HashMap<>();
    classes.forEach(name -> indexes.putIfAbsent(name, indexes.size()));
    int[] classOf = new int[numbers.size()];
    for (Map.Entry<String, Integer> each : numbers.entrySet()) {
      Integer found = indexes.get(each.getKey());
      if (found == null) {
        throw new FormatException(
            "column %s: the label '%s' is none of the classes %s"
                .formatted(column, each.getKey(), classes));
      }
      classOf[each.getValue()] = found;
    }
    for (int i = 0; i < labels.length; i++) {
      labels[i] = labels[i] < 0 ? EncodedImage.NO_LABEL : classOf[labels[i]];
    }
    return new TextLabels(classes, labels);
  }
}

package io.feedline.formats.coco;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.feedline.data.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * The outlines of an instance, in the three forms that COCO writes: polygons, runs in numbers, and
 * runs in text. The outlines are packed when they are read, and are painted when a mask is written.
 */
final class Outlines {

  static final int NONE = 0;

  private static final int POLYGONS = 1;
  private static final int COUNTS = 2;
  private static final int TEXT = 3;

  private static final int MOST_NUMBERS = 1 << 24;
  private static final int MOST_POLYGONS = 1 << 16;

  private Outlines() {}

  /** Packs a {@code segmentation}; returns why it cannot be painted, or null if it can. */
  static @Nullable String read(JsonReader json, AnnotationBytes target) throws IOException {
    switch (json.peek()) {
      case NULL -> {
        json.nextNull();
        target.addCount(NONE);
        return null;
      }
      case BEGIN_ARRAY -> {
        return polygons(json, target);
      }
      case BEGIN_OBJECT -> {
        return runs(json, target);
      }
      default -> {
        json.skipValue();
        return "its segmentation has neither polygons nor runs";
      }
    }
  }

  private static @Nullable String polygons(JsonReader json, AnnotationBytes target)
      throws IOException {
    List<double[]> polygons = new ArrayList<>();
    boolean sound = true;
    json.beginArray();
    while (json.hasNext()) {
      if (polygons.size() == MOST_POLYGONS) {
        throw new FormatException("an instance of more than %d polygons".formatted(MOST_POLYGONS));
      }
      sound &= json.peek() == JsonToken.BEGIN_ARRAY;
      polygons.add(CocoFile.numbers(json, MOST_NUMBERS));
      sound &= CocoFile.areFinite(polygons.get(polygons.size() - 1));
    }
    json.endArray();
    target.addCount(polygons.isEmpty() ? NONE : POLYGONS);
    if (!polygons.isEmpty()) {
      target.addCount(polygons.size());
      for (double[] polygon : polygons) {
        target.addCoordinates(polygon, polygon.length);
      }
    }
    return sound ? null : "its segmentation is not a list of lists of numbers";
  }

  private static @Nullable String runs(JsonReader json, AnnotationBytes target) throws IOException {
    double[] size = {};
    double[] counts = null;
    String text = null;
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "size" -> size = CocoFile.numbers(json, MOST_NUMBERS);
        case "counts" -> {
          if (json.peek() == JsonToken.STRING) {
            text = json.nextString();
          } else {
            counts = CocoFile.numbers(json, MOST_NUMBERS);
          }
        }
        default -> json.skipValue();
      }
    }
    json.endObject();
    if (size.length != 2 || (counts == null && text == null)) {
      return "runs without size and counts";
    }
    double[] whole = text == null ? counts : size;
    for (double number : DoubleStream.concat(Arrays.stream(size), Arrays.stream(whole)).toArray()) {
      if (number != Math.rint(number) || number < 0 || number > Integer.MAX_VALUE) {
        return "a run or size of %s pixels".formatted(number);
      }
    }
    target.addCount(text == null ? COUNTS : TEXT);
    target.addCount((long) size[0]);
    target.addCount((long) size[1]);
    if (text != null) {
      target.addBytes(text.getBytes(UTF_8));
    } else {
      target.addCount(counts.length);
      for (double run : counts) {
        target.addCount((long) run);
      }
    }
    return null;
  }

  /**
   * @param rows height x width zeros, the rows from top to bottom; pixels of the instance become 1
   * @throws FormatException if the outlines do not fit an image of this size
   */
  static void paint(AnnotationBytes.Reader packed, int height, int width, byte[] rows)
      throws FormatException {
    int kind = (int) packed.count();
    if (kind == POLYGONS) {
      double[][] polygons = new double[(int) packed.count()][];
      Arrays.setAll(polygons, i -> packed.coordinates());
      requireArea(polygons);
      for (double[] polygon : polygons) {
        Rle.ofPolygon(height, width, polygon).paint(rows);
      }
    } else if (kind != NONE) {
      long high = packed.count();
      long wide = packed.count();
      if (high != height || wide != width) {
        throw new FormatException(
            "runs of an image of %d x %d, but it has %d x %d".formatted(wide, high, width, height));
      }
      if (kind == TEXT) {
        Rle.ofText(height, width, new String(packed.bytes(), UTF_8)).paint(rows);
      } else {
        int[] counts = new int[(int) packed.count()];
        Arrays.setAll(counts, i -> (int) packed.count());
        Rle.ofCounts(height, width, counts).paint(rows);
      }
    }
  }

  /** Fails unless some polygon has three corners or more; the other polygons may have fewer. */
  private static void requireArea(double[]... polygons) throws FormatException {
    int most = Arrays.stream(polygons).mapToInt(polygon -> polygon.length).max().orElse(0);
    if (most < 6) {
      throw new FormatException("a polygon of %d numbers; three corners have 6".formatted(most));
    }
  }
}

package io.feedline.formats.coco;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import io.feedline.formats.store.FormatException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The outlines of an instance, in each of the three ways that COCO writes them: polygons, runs as
 * numbers, runs as text. They are packed as they are read, and become a mask when it is asked for.
 */
final class Outlines {

  /** There is no outline: an empty mask. */
  static final int NONE = 0;

  private static final int POLYGONS = 1;
  private static final int COUNTS = 2;
  private static final int TEXT = 3;

  private static final int MOST_NUMBERS = 1 << 24;
  private static final int MOST_POLYGONS = 1 << 16;

  private Outlines() {}

  /** Packs the value of {@code segmentation}. */
  static void read(JsonReader json, AnnotationBytes target) throws IOException {
    if (json.peek() == JsonToken.NULL) {
      json.nextNull();
      target.addCount(NONE);
    } else if (json.peek() == JsonToken.BEGIN_ARRAY) {
      polygons(json, target);
    } else {
      runs(json, target);
    }
  }

  private static void polygons(JsonReader json, AnnotationBytes target) throws IOException {
    List<double[]> polygons = new ArrayList<>();
    json.beginArray();
    while (json.hasNext()) {
      if (polygons.size() == MOST_POLYGONS) {
        throw new FormatException("an instance of more than %d polygons".formatted(MOST_POLYGONS));
      }
      polygons.add(CocoFile.numbers(json, MOST_NUMBERS));
    }
    json.endArray();
    target.addCount(polygons.isEmpty() ? NONE : POLYGONS);
    if (!polygons.isEmpty()) {
      target.addCount(polygons.size());
      for (double[] polygon : polygons) {
        target.addCoordinates(polygon, polygon.length);
      }
    }
  }

  private static void runs(JsonReader json, AnnotationBytes target) throws IOException {
    double[] size = null;
    double[] counts = null;
    String text = null;
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "size" -> size = CocoFile.numbers(json, 2);
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
    if (size == null || size.length != 2 || (counts == null && text == null)) {
      throw new FormatException("runs without size and counts");
    }
    json.endObject();
    target.addCount(text == null ? COUNTS : TEXT);
    addWhole(size[0], target);
    addWhole(size[1], target);
    if (text != null) {
      target.addBytes(text.getBytes(UTF_8));
    } else {
      target.addCount(counts.length);
      for (double run : counts) {
        addWhole(run, target);
      }
    }
  }

  private static void addWhole(double number, AnnotationBytes target) throws FormatException {
    if (number != Math.rint(number) || number < 0 || number > Integer.MAX_VALUE) {
      throw new FormatException("a run or size of %s pixels".formatted(number));
    }
    target.addCount((long) number);
  }

  /**
   * Makes a mask of what was packed.
   *
   * @param rows height x width zeros, from top to bottom; 1 is written where the instance is
   * @throws FormatException if the outlines are not those of an image of this size
   */
  static void paint(AnnotationBytes.Reader packed, int height, int width, byte[] rows)
      throws FormatException {
    int kind = (int) packed.count();
    if (kind == POLYGONS) {
      for (long left = packed.count(); left > 0; left--) {
        Rle.ofPolygon(height, width, packed.coordinates()).paint(rows);
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
}

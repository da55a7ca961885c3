package io.feedline.formats.coco;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.stream.JsonReader;
import com.sun.management.ThreadMXBean;
import io.feedline.data.FormatException;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Masks of outlines, against those of pycocotools. */
class OutlinesTest {

  private static byte[] painted(Object segmentation, int height, int width) throws IOException {
    AnnotationBytes packed = new AnnotationBytes();
    String problem =
        Outlines.read(new JsonReader(new StringReader(Json.write(segmentation))), packed);
    if (problem != null) {
      throw new FormatException(problem);
    }
    byte[] mask = new byte[height * width];
    Outlines.paint(packed.at(0), height, width, mask);
    return mask;
  }

  @Test
  void shouldMakeTheMasksOfPycocotools() throws IOException {
    String text =
        new String(FixtureFiles.bytes(getClass(), "outlines.json"), StandardCharsets.UTF_8);
    List<?> cases = (List<?>) Json.read(text).get("outlines");
    int pixels = 0;
    for (int i = 0; i < cases.size(); i++) {
      Map<?, ?> each = (Map<?, ?>) cases.get(i);
      List<?> size = (List<?>) each.get("size");
      int height = ((Number) size.get(0)).intValue();
      int width = ((Number) size.get(1)).intValue();
      byte[] mask = painted(each.get("segmentation"), height, width);
      int area = 0;
      for (byte pixel : mask) {
        area += pixel;
      }
      assertThat((long) area).as("area of case %d", i).isEqualTo(each.get("area"));
      assertThat(FixtureFiles.crc(mask)).as("case %d", i).isEqualTo(each.get("crc"));
      pixels += area;
    }
    assertThat(cases).hasSize(360);
    assertThat(pixels).isGreaterThan(20_000);
  }

  private static void refuse(Object segmentation, String... words) {
    refused(FormatException.class, () -> painted(segmentation, 3, 4), words);
  }

  @Test
  void shouldRefuseOutlinesOfNoImage() {
    refuse(List.of(List.of(1, 2, 3, 4)), "4 numbers");
    refuse(List.of(List.of(0, 0, 1e9, 1e9, 5, 5)), "not part of an image");
    refuse(Map.of("size", List.of(3, 4)), "without size and counts");
    refuse(Map.of("size", List.of(4, 3), "counts", List.of(12)), "runs of an image of 3 x 4");
    refuse(Map.of("size", List.of(3, 4), "counts", List.of(5, 6)), "11 pixels", "4 x 3 has 12");
    refuse(Map.of("size", List.of(3, 4), "counts", List.of(5, 8)), "13 pixels");
    refuse(Map.of("size", List.of(3, 4), "counts", List.of(-1, 13)), "-1");
    refuse(Map.of("size", List.of(3, 4), "counts", List.of(0.5, 11.5)), "0.5");
    refuse(Map.of("size", List.of(3, 4), "counts", "PPP"), "cut off");
    refuse(Map.of("size", List.of(3, 4), "counts", "5\u00e4"), "character 1");
    refuse(Map.of("size", List.of(3, 4), "counts", "ooooooooooo0"), "runs");
  }

  @Test
  void shouldPaintNothingForAShortPolygonBesideAGoodOne() throws IOException {
    List<Integer> good = List.of(0, 0, 3, 0, 3, 3, 0, 3);
    byte[] alone = painted(List.of(good), 3, 4);
    assertThat(alone).contains((byte) 1);
    for (List<Integer> bad :
        List.of(List.<Integer>of(), List.of(1), List.of(1, 1), List.of(0, 0, 3, 2))) {
      assertThat(painted(List.of(good, bad), 3, 4)).isEqualTo(alone);
      assertThat(painted(List.of(bad, good), 3, 4)).isEqualTo(alone);
      refuse(List.of(bad, bad), bad.size() + " numbers");
    }
  }

  /** Few numbers may be millions of points. */
  @Test
  void shouldTakeLittleMemoryForALargePolygon() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);

    byte[] mask = painted(List.of(List.of(-1, -1, 4_000_000, -1, -1, 4_000_000)), 3, 4);

    assertThat(threads.getThreadAllocatedBytes(thread) - before).isLessThan(1 << 24);
    assertThat(mask).containsOnly(1);
  }

  /** Text in which anything may be, of images that are small. */
  @Test
  void shouldReadAnyTextOrRefuseIt() throws IOException {
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      Random random = new Random(i);
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(6); length >= 0; length--) {
        text.append((char) ('0' + random.nextInt(random.nextBoolean() ? 8 : 66)));
      }
      try {
        painted(Map.of("size", List.of(2, 4), "counts", text.toString()), 2, 4);
        read++;
      } catch (FormatException refusal) {
        assertThat(refusal.getMessage()).isNotBlank();
      }
    }
    assertThat(read).isPositive();
  }

  @Test
  void shouldKeepEveryCoordinate() throws IOException {
    Random random = new Random(1);
    AnnotationBytes packed = new AnnotationBytes();
    double[] xy = new double[4000];
    for (int i = 0; i < xy.length; i++) {
      xy[i] =
          switch (i % 5) {
            case 0 -> Math.round(random.nextDouble() * 64000) / 100.0;
            case 1 -> random.nextDouble() * 640;
            case 2 -> -random.nextInt(1000);
            case 3 -> random.nextGaussian() * 1e12;
            default -> i % 2 == 0 ? -0.0 : Double.MIN_VALUE;
          };
    }
    packed.addCoordinates(xy, xy.length);
    packed.addCount(1L << 60);
    packed.addBytes(new byte[] {1, 2});
    AnnotationBytes.Reader reader = packed.at(0);
    assertThat(reader.coordinates()).containsExactly(xy);
    assertThat(reader.count()).isEqualTo(1L << 60);
    assertThat(reader.bytes()).containsExactly(1, 2);
  }
}

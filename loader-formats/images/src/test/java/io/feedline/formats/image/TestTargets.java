package io.feedline.formats.image;

import io.feedline.batch.TensorSource;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/** The targets of the tests, made by arithmetic here and in torchvision_targets.py alike. */
public final class TestTargets {

  /** Fractions of the image's sides; the last two have no area, or reach outside. */
  private static final float[] BOXES = {
    0.1f, 0.2f, 0.5f, 0.6f, 0.4f, 0.1f, 0.9f, 0.95f, 0, 0, 1, 1, 0.7f, 0.7f, 0.75f, 0.8f, 0.3f,
    0.5f, 0.3f, 0.9f, -0.2f, 0.6f, 0.2f, 1.3f
  };

  private static final float[] POINTS = {
    0, 0, 0.25f, 0.5f, 0.999f, 0.5f, 0.5f, 0.9f, 1.1f, -0.1f, 0.75f, 0.25f
  };

  private static final int COUNT = BOXES.length / 4;

  private TestTargets() {}

  /** Each id once, from 1, so that it says where it went. */
  public static Mask ids(int width, int height) {
    int[] ids = new int[width * height];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = i + 1;
    }
    return Mask.ofIds(ids, width, height);
  }

  public static InstanceMasks instances(int width, int height) {
    return InstanceMasks.painted(
        COUNT,
        width,
        height,
        (object, mask) -> {
          for (int i = 0; i < mask.length; i++) {
            int x = i % width;
            int y = i / width;
            mask[i] = (byte) ((x / (3 + object) + y / (5 + object)) % 2);
          }
        });
  }

  public static BoundingBoxes boxes(int width, int height) {
    return BoundingBoxes.of(scaled(BOXES, width, height), BoundingBoxes.Format.XYXY, width, height);
  }

  public static KeyPoints points(int width, int height) {
    return KeyPoints.of(scaled(POINTS, width, height), width, height);
  }

  private static float[] scaled(float[] fractions, int width, int height) {
    float[] scaled = new float[fractions.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = fractions[i] * (i % 2 == 0 ? width : height);
    }
    return scaled;
  }

  public static BoxLabels labels() {
    return BoxLabels.of(10, 11, 12, 13, 14, 15);
  }

  /** Returns an image with all kinds of targets. */
  public static Map<String, Object> sample(int width, int height) {
    Map<String, Object> sample = new LinkedHashMap<>();
    sample.put("image", TestImage.noise(width, height));
    sample.put("mask", ids(width, height));
    sample.put("instances", instances(width, height));
    sample.put("boxes", boxes(width, height));
    sample.put("points", points(width, height));
    sample.put("labels", labels());
    return sample;
  }

  /** Returns the elements of a tensor, in the machine's byte order. */
  public static ByteBuffer written(TensorSource source) throws Exception {
    int bytes = Math.toIntExact(source.shape().elements() * source.dtype().bytes());
    ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    source.writeTo(target);
    return target.rewind();
  }

  public static float[] floats(TensorSource source) throws Exception {
    float[] floats = new float[Math.toIntExact(source.shape().elements())];
    written(source).asFloatBuffer().get(floats);
    return floats;
  }

  public static long[] longs(TensorSource source) throws Exception {
    long[] longs = new long[Math.toIntExact(source.shape().elements())];
    written(source).asLongBuffer().get(longs);
    return longs;
  }
}

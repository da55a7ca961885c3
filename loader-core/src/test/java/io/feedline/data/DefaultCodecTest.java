package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.Decoded;
import io.feedline.batch.SampleCodec;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.internal.MapKeys;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DefaultCodecTest {

  private record Inside(float x, short y) {}

  private record Outside(long id, Inside inside, List<String> names, Tensor pixels) {}

  private record Nothing() {}

  private final SampleCodec<Object> codec = SampleCodec.defaults();

  private Object roundTrip(Object sample) throws Exception {
    ByteBuffer bytes =
        ByteBuffer.allocateDirect((int) codec.byteSize(sample)).order(ByteOrder.nativeOrder());
    codec.encode(sample, bytes);
    assertThat(bytes.hasRemaining()).as("as many bytes as announced").isFalse();
    return codec.decode(bytes.flip().asReadOnlyBuffer().order(ByteOrder.nativeOrder()));
  }

  private void assertKept(Object sample) throws Exception {
    Object decoded = roundTrip(sample);
    assertThat(DatasetContract.content(decoded)).isEqualTo(DatasetContract.content(sample));
  }

  @Test
  void shouldKeepEachKindOfValue() throws Exception {
    Object[] values = {
      true,
      false,
      (byte) -1,
      (short) -2,
      -3,
      Long.MIN_VALUE,
      Float.NaN,
      -0.0,
      "",
      "äß\uD83D",
      TimeUnit.DAYS,
      new Nothing(),
      new Inside(1, (short) 2),
      new byte[] {1, -2},
      new short[] {1, -2},
      new int[] {1, -2},
      new long[] {1, -2},
      new float[] {1, -2},
      new double[0],
      new boolean[] {true, false},
      new Object[] {1, "a"},
      new String[0],
      new float[][] {{1, 2}, {3}}
    };
    for (Object value : values) {
      assertThat(roundTrip(value)).isEqualTo(value);
    }
    assertThat(roundTrip(TimeUnit.DAYS)).isSameAs(TimeUnit.DAYS);
  }

  @SuppressWarnings("ArrayRecordComponent") // samples are never compared
  private record Boxes(float[][] corners, String[] names, byte[][][] masks) {}

  @Test
  void shouldKeepTheClassOfArraysInRecords() throws Exception {
    Boxes boxes = new Boxes(new float[][] {{1, 2}}, new String[] {"a"}, new byte[][][] {{{7}}, {}});

    Boxes decoded = (Boxes) roundTrip(boxes);

    assertThat(decoded.corners()).isDeepEqualTo(boxes.corners());
    assertThat(decoded.names()).isEqualTo(boxes.names());
    assertThat(decoded.masks()).isEqualTo(boxes.masks());
  }

  @Test
  void shouldKeepTensorsOfEachDtypeAsViewsThatCannotBeWritten() throws Exception {
    for (DType dtype : DType.values()) {
      Tensor tensor = Tensor.zeros(dtype, Shape.of(2, 0, 3));
      assertKept(tensor);
      Tensor ones = Tensor.zeros(dtype, Shape.of(2, 3));
      ones.bytes().put(1, (byte) 7);
      assertKept(ones);
    }
    Tensor decoded = (Tensor) roundTrip(Tensor.of(new float[] {1, 2}));
    assertThatThrownBy(() -> decoded.bytes().putFloat(0, 9))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThat(decoded.copy().toFloatArray()).containsExactly(1, 2);
  }

  @Test
  void shouldKeepTheOrderOfMapsAndThatTheyHaveNone() throws Exception {
    Map<String, Object> linked = new LinkedHashMap<>();
    linked.put("z", 1);
    linked.put("a", List.of());
    Map<String, Object> descending = new TreeMap<>(Collections.reverseOrder());
    descending.putAll(linked);

    assertThat(((Map<?, ?>) roundTrip(linked)).keySet().toArray()).containsExactly("z", "a");
    assertThat(((Map<?, ?>) roundTrip(descending)).keySet().toArray()).containsExactly("z", "a");
    assertThat(MapKeys.isOrdered((Map<?, ?>) roundTrip(descending))).isTrue();
    assertThat(MapKeys.isOrdered((Map<?, ?>) roundTrip(new HashMap<>(linked)))).isFalse();
    assertThat(roundTrip(Map.copyOf(linked))).isEqualTo(linked);
  }

  @Test
  void shouldKeepAnyStructure() throws Exception {
    Random random = new Random(41);
    for (int round = 0; round < 300; round++) {
      assertKept(generate(random, 4));
    }
  }

  private static Object generate(Random random, int depth) {
    return switch (random.nextInt(depth == 0 ? 5 : 9)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextFloat();
      case 2 -> Long.toString(random.nextLong());
      case 3 -> random.ints(random.nextInt(5)).toArray();
      case 4 -> Tensor.of(random.longs(6).toArray(), 2, 3);
      case 5 ->
          new Outside(
              random.nextLong(),
              new Inside(random.nextFloat(), (short) random.nextInt()),
              List.of("a", Integer.toString(random.nextInt())),
              Tensor.of(random.longs(3).toArray()));
      case 6 -> generateAll(random, depth - 1);
      case 7 -> generateAll(random, depth - 1).toArray();
      default -> {
        Map<String, Object> map = new LinkedHashMap<>();
        for (Object value : generateAll(random, depth - 1)) {
          map.put("k" + random.nextInt(), value);
        }
        yield map;
      }
    };
  }

  private static List<Object> generateAll(Random random, int depth) {
    List<Object> values = new ArrayList<>();
    int count = random.nextInt(4);
    for (int i = 0; i < count; i++) {
      values.add(generate(random, depth));
    }
    return values;
  }

  @Test
  void shouldRefuseOtherValuesNamingTheEntry() {
    Decoded recipe = new Decoded(() -> {}, () -> {});
    assertRefused(
        () -> codec.byteSize(Map.of("image", recipe)),
        "entry 'image'",
        "Decoded",
        "an image to its pixels");
    assertRefused(() -> codec.byteSize(Arrays.asList(1, null)), "entry '1' is null");
    assertRefused(() -> codec.byteSize(Map.of("a", Map.of(1, 2))), "entry 'a'", "keys");
  }
}

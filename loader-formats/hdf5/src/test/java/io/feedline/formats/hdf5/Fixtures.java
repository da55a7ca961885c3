package io.feedline.formats.hdf5;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.batch.TensorSource;
import io.feedline.formats.store.FixtureFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The files that make_fixtures.py made with h5py, and what is in them. */
final class Fixtures {

  private Fixtures() {}

  record Fixture(int label, String crc) {
    private static Fixture parse(String line) {
      String[] parts = line.split(",", -1);
      return new Fixture(Integer.parseInt(parts[0]), parts[1]);
    }
  }

  static List<Fixture> images() {
    return new String(bytes("pictures.txt"), UTF_8).lines().map(Fixture::parse).toList();
  }

  /** Element number e, row-major, of an array that the script computed. */
  static long value(long e) {
    return (e * 7 + 3) % 251;
  }

  static byte[] bytes(String name) {
    return FixtureFiles.bytes(Fixtures.class, name);
  }

  static Path copy(Path directory, String name) throws IOException {
    return Files.write(directory.resolve(name), bytes(name));
  }

  /** The elements that a tensor writes; half precision as their bits. */
  static List<Double> elements(TensorSource tensor) throws Exception {
    int count = (int) tensor.shape().elements();
    ByteBuffer row =
        ByteBuffer.allocateDirect(count * tensor.dtype().bytes()).order(ByteOrder.nativeOrder());
    tensor.writeTo(row);
    List<Double> elements = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      elements.add(
          switch (tensor.dtype()) {
                case UINT8, BOOL -> row.get(i) & 0xff;
                case INT8 -> row.get(i);
                case INT16, UINT16 -> row.getShort(2 * i);
                case FLOAT16, BFLOAT16 -> row.getShort(2 * i) & 0xffff;
                case INT32 -> row.getInt(4 * i);
                case INT64 -> row.getLong(8 * i);
                case FLOAT32 -> row.getFloat(4 * i);
                case FLOAT64 -> row.getDouble(8 * i);
              }
              + 0.0);
    }
    return elements;
  }
}

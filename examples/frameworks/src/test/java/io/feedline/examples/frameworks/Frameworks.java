package io.feedline.examples.frameworks;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Parts of the tests of this package. */
final class Frameworks {
  private Frameworks() {}

  /** A program. */
  interface Program {
    void run() throws Exception;
  }

  /**
   * Tests whether the natives of DL4J and TensorFlow are on the class path: {@code -Dframeworks}.
   */
  static boolean haveNatives() {
    try {
      Class.forName("org.nd4j.linalg.cpu.nativecpu.CpuBackend", false, loader());
      return true;
    } catch (ClassNotFoundException missing) {
      return false;
    }
  }

  private static ClassLoader loader() {
    return Frameworks.class.getClassLoader();
  }

  /** Returns zeros in the middle of direct memory, as a batch has its tensors. */
  static Tensor direct(DType dtype, long... shape) {
    Shape axes = Shape.of(shape);
    int bytes = (int) Tensor.byteSize(dtype, axes);
    return Tensor.of(dtype, axes, ByteBuffer.allocateDirect(64 + bytes).slice(64, bytes));
  }

  /** Returns ones in the middle of direct memory. */
  static Tensor ones(DType dtype, long... shape) {
    Tensor tensor = direct(dtype, shape);
    ByteBuffer bytes = tensor.bytes().order(ByteOrder.nativeOrder());
    while (bytes.hasRemaining()) {
      switch (dtype) {
        case UINT8, INT8, BOOL -> bytes.put((byte) 1);
        case UINT16, INT16 -> bytes.putShort((short) 1);
        case INT32 -> bytes.putInt(1);
        case INT64 -> bytes.putLong(1);
        case FLOAT16 -> bytes.putShort((short) 0x3C00);
        case BFLOAT16 -> bytes.putShort((short) 0x3F80);
        case FLOAT32 -> bytes.putFloat(1);
        case FLOAT64 -> bytes.putDouble(1);
      }
    }
    return tensor;
  }

  /** Runs a program and returns the lines that it printed. */
  static List<String> printedBy(Program program) throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.out;
    try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      program.run();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8).lines().toList();
  }
}

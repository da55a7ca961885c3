package io.feedline.batch;

import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import java.nio.ByteBuffer;

/** A sample of three bytes that decodes and writes itself in one pass, as an image does. */
public record Decoded(Runnable decode, Runnable write) implements TensorSource {

  @Override
  public DType dtype() {
    return DType.INT8;
  }

  @Override
  public Shape shape() {
    return Shape.of(3);
  }

  @Override
  public void writeTo(ByteBuffer target) {
    DecodingClock clock = ReadMeter.clock();
    if (clock == null) {
      decode.run();
      write.run();
    } else {
      clock.decode();
      decode.run();
      long decoded = clock.now();
      write.run();
      clock.decoded(clock.now() - decoded);
    }
    target.put(new byte[3]);
  }
}

package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * A source that is converted to another rate. To compute a range, it reads the range of the source
 * that spans the same time, extended on both sides by the filter's reach.
 */
record ResampledSource(SampleSource source, SincFilter filter) implements SampleSource.Changed {
  @Override
  public long samples() {
    return filter.outputs(source.samples());
  }

  @Override
  public void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception {
    if (count == 0) {
      return;
    }
    int align = filter.align();
    int skipped = (int) (from % align);
    int computed = SampleSources.floats(1, ((long) skipped + count + align - 1) / align * align);
    long firstOutput = from - skipped;
    long first = filter.firstInput(firstOutput);
    long end = filter.firstInput(firstOutput + computed - 1) + filter.taps();
    int length = SampleSources.floats(1, end - first);
    // Beyond the ends of the source lie zeros.
    int ahead = (int) Math.min(length, Math.max(0, -first));
    int inside = (int) Math.max(0, Math.min(end, source.samples()) - first - ahead);
    float[] read = Scratch.take(SampleSources.floats(channels(), inside));
    if (inside > 0) {
      Waveform.read(source, first + ahead, inside, read);
    }
    float[] inputs = Scratch.take(length);
    float[] outputs = Scratch.take(computed);
    for (int c = 0; c < channels(); c++) {
      Arrays.fill(inputs, 0, ahead, 0);
      System.arraycopy(read, c * inside, inputs, ahead, inside);
      Arrays.fill(inputs, ahead + inside, length, 0);
      filter.apply(firstOutput, computed, inputs, outputs);
      out.put(at + c * stride, outputs, skipped, count);
    }
    Scratch.give(outputs);
    Scratch.give(inputs);
    Scratch.give(read);
  }
}

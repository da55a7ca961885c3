package io.feedline.bench;

import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Interpolation;
import io.feedline.formats.image.Region;
import io.feedline.formats.image.transform.Normalize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How many images per second does one thread write into rows of 3 x 224 x 224 normalized floats,
 * and how much of that is decoding?
 *
 * <p>The image has 500 x 375 pixels. {@link #fromRgb} has it decoded in memory, so it measures the
 * two passes of the resize, normalization and storing; {@link #fromJpeg} decodes it each time
 * (JPEG, 4:2:0, quality 0.9, bytes in memory). What {@link CopyBaseline} copies in a second is the
 * limit for both.
 *
 * <pre>
 * mvn -Pbench -pl loader-bench -am -DskipTests verify -Dbench=GeneratedImageWriter
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GeneratedImageWriter {
  private static final int WIDTH = 500;
  private static final int HEIGHT = 375;
  private static final int SIDE = 224;

  /** Which part of the image becomes the row. */
  public enum Part {
    /** All of it: 2.2 columns and 1.7 rows for one. */
    WHOLE(0, 0, WIDTH, HEIGHT),
    /** A third of its area, the usual crop of a training: 1.1 for one. */
    CROP_250(125, 62, 250, 250),
    /** A small part, which is enlarged. */
    CROP_150(200, 100, 150, 150),
    /** As large as the row, so that nothing is scaled. */
    CROP_224(138, 75, SIDE, SIDE);

    private final int x;
    private final int y;
    private final int width;
    private final int height;

    Part(int x, int y, int width, int height) {
      this.x = x;
      this.y = y;
      this.width = width;
      this.height = height;
    }

    Image of(Image image) {
      return image.crop(new Region(x, y, width, height)).resize(SIDE, SIDE, Interpolation.BILINEAR);
    }
  }

  /** The part. */
  @Param public Part part;

  private final ByteBuffer row =
      ByteBuffer.allocateDirect(3 * SIDE * SIDE * Float.BYTES).order(ByteOrder.nativeOrder());
  private Image rgb;
  private Image jpeg;

  /**
   * Makes the image, in both forms.
   *
   * @throws IOException if it cannot be written and read
   */
  @Setup(Level.Trial)
  public void open() throws IOException {
    Normalize normalize = Normalize.imagenet();
    Image pixels = Image.ofRgb(GeneratedFolder.rgb(0, WIDTH, HEIGHT), WIDTH, HEIGHT);
    rgb = normalize.apply(part.of(pixels));
    try (GeneratedFolder folder = GeneratedFolder.create(2, WIDTH, HEIGHT)) {
      // Reads the file and its header now, and decodes whenever it is written.
      Image encoded = ImageFolder.of(folder.root()).get(0).image();
      jpeg = normalize.apply(part.of(encoded));
    }
  }

  /**
   * Writes an image whose pixels are in memory.
   *
   * @throws IOException never
   */
  @Benchmark
  public ByteBuffer fromRgb() throws IOException {
    rgb.writeTo(row);
    return row;
  }

  /**
   * Writes an image whose encoded bytes are in memory.
   *
   * @throws IOException if it cannot be decoded
   */
  @Benchmark
  public ByteBuffer fromJpeg() throws IOException {
    jpeg.writeTo(row);
    return row;
  }
}

package io.feedline.formats.jpeg.internal;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to decode, to skip and to index the entropy-coded data of an image, none of
 * which any kernel takes part in?
 *
 * <p>A score is microseconds for the whole image: by default one of 500 x 375 pixels that is
 * generated, quality 90, its colors at half the resolution in both directions; any other with
 * {@code -p file=PATH}. Decoding includes the clearing of coefficients, which a batch begins with.
 *
 * <pre>
 * mvn -Pbench -pl loader-formats -am -DskipTests verify -Dbench=EntropyBenchmark
 * mvn ... -Djmh.args="-p file=/data/cat.jpg"
 * </pre>
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class EntropyBenchmark {
  private static final int WIDTH = 500;
  private static final int HEIGHT = 375;
  private static final float QUALITY = 0.9f;

  /** A JPEG file, or nothing: then an image is generated. */
  @Param("")
  public String file;

  private final McuTables tables = new McuTables();
  private final ScanReader reader = new ScanReader(tables);
  private final Coefficients coefficients = new Coefficients();
  private final JpegDecoder decoder = new JpegDecoder();
  private JpegImage image;
  private int batch;

  /**
   * Reads or generates the image.
   *
   * @throws IOException if it cannot be read
   */
  @Setup
  public void open() throws IOException {
    byte[] data = file.isEmpty() ? generated() : Files.readAllBytes(Path.of(file));
    image = JpegImage.parse(data);
    JpegDecoder.requireSupported(image);
    tables.fill(image);
    batch = Coefficients.BLOCKS / image.grid().sampling().blocksPerMcu();
  }

  /** Smooth shapes with some noise, which cost about what a photograph of this size does. */
  private static byte[] generated() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
        int rgb = 0;
        for (int c = 1; c <= 3; c++) {
          double shape = Math.sin(0.01 * c * x) + Math.sin(0.02 * y + 0.01 * c * x);
          rgb = rgb << 8 | (int) (127 + 45 * shape + random.nextInt(-24, 25));
        }
        image.setRGB(x, y, rgb);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
    try (ImageOutputStream out = ImageIO.createImageOutputStream(bytes)) {
      ImageWriteParam options = writer.getDefaultWriteParam();
      options.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
      options.setCompressionQuality(QUALITY);
      writer.setOutput(out);
      writer.write(null, new IIOImage(image, null, null), options);
    } finally {
      writer.dispose();
    }
    return bytes.toByteArray();
  }

  /**
   * Bits to coefficients.
   *
   * @throws JpegException if the image is damaged
   */
  @Benchmark
  public int[] decode() throws JpegException {
    reader.open(image, Damage.FAIL);
    McuGrid grid = image.grid();
    for (int left = grid.columns() * grid.rows(); left > 0; left -= batch) {
      coefficients.begin(batch);
      reader.into(coefficients);
      reader.decode(Math.min(batch, left), 0);
    }
    return coefficients.values();
  }

  /**
   * Bits to nothing, as above and beside a crop.
   *
   * @throws JpegException if the image is damaged
   */
  @Benchmark
  public int[] skip() throws JpegException {
    reader.open(image, Damage.FAIL);
    reader.skip(image.grid().columns() * image.grid().rows());
    return reader.predictions();
  }

  /**
   * Skips all, and notes where everything is.
   *
   * @throws JpegException if the image is damaged
   */
  @Benchmark
  public ScanIndex index() throws JpegException {
    return decoder.index(image, ScanIndex.DEFAULT_MCUS_PER_ENTRY);
  }
}

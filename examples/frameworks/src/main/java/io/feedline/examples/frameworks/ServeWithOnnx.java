package io.feedline.examples.frameworks;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import io.feedline.Preprocessor;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Resize;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * Classifies encoded images by a model of ONNX Runtime: {@code ServeWithOnnx}. The preprocessor
 * writes the images into the memory of the model's input, which all requests share. The model finds
 * the strongest color; {@code make_colors.py} wrote it.
 *
 * <p>The caller closes it. Not thread-safe.
 */
public final class ServeWithOnnx implements AutoCloseable {

  private static final int SIZE = 32;
  private static final int BATCH = 4;

  private final Preprocessor<byte[]> preprocessor =
      Preprocessor.<byte[]>of(
              DecodeImage.of().andThen(Resize.of(SIZE)).andThen(CenterCrop.of(SIZE)))
          .withClasses(List.of("red", "green", "blue"));

  private final Tensor batch =
      Tensor.of(
          DType.FLOAT32,
          Shape.of(BATCH, 3, SIZE, SIZE),
          ByteBuffer.allocateDirect(BATCH * 3 * SIZE * SIZE * Float.BYTES));

  private final OrtSession session;
  private final OnnxTensor input;

  ServeWithOnnx() throws IOException, OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (InputStream model = ServeWithOnnx.class.getResourceAsStream("colors.onnx")) {
      session = environment.createSession(model.readAllBytes());
    }
    input = PredictWithOnnx.onnxTensor(environment, batch);
  }

  /** Prints the class of each of four generated images. */
  public static void main(String[] args) throws IOException, OrtException {
    List<Color> colors =
        List.of(Color.RED, Color.GREEN, new Color(40, 60, 200), new Color(255, 240, 0));
    try (ServeWithOnnx service = new ServeWithOnnx()) {
      List<String> classes = service.classify(colors.stream().map(ServeWithOnnx::png).toList());
      for (int i = 0; i < classes.size(); i++) {
        System.out.printf(
            Locale.ROOT, "#%06x: %s%n", colors.get(i).getRGB() & 0xFFFFFF, classes.get(i));
      }
    }
  }

  /**
   * Returns the class of each image.
   *
   * @param uploads four encoded images
   * @throws IOException if an upload is not an image; the message says which
   */
  List<String> classify(List<byte[]> uploads) throws IOException, OrtException {
    preprocessor.writeBatch(uploads, batch);
    try (OrtSession.Result result = session.run(Map.of("pixels", input))) {
      float[][] scores = (float[][]) result.get(0).getValue();
      return Stream.of(scores).map(row -> preprocessor.classes().get(largest(row))).toList();
    }
  }

  private static int largest(float... scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  /** Returns an image of one color, as a client would send it. */
  static byte[] png(Color color) {
    BufferedImage image = new BufferedImage(60, 40, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    graphics.setColor(color);
    graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "png", bytes);
    } catch (IOException e) {
      throw new AssertionError("memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  /** Returns the tensor over the memory of the model's input. */
  Tensor batch() {
    return batch;
  }

  /** Returns ONNX Runtime's tensor over the same memory. */
  OnnxTensor input() {
    return input;
  }

  @Override
  public void close() throws OrtException {
    input.close();
    session.close();
  }
}

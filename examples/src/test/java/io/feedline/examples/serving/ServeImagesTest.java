package io.feedline.examples.serving;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Block;
import io.feedline.Preprocessor;
import io.feedline.examples.training.ResNet;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.Resize;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ServeImagesTest {

  private static final int SIZE = 32;
  private static final int CLIENTS = 32;

  private static ServedModel model;
  private static ServeImages service;

  private final HttpClient client = HttpClient.newHttpClient();

  @BeforeAll
  static void serve() throws IOException {
    Model network = Model.newInstance("resnet18");
    Block block = ResNet.RESNET18.block(10, SIZE);
    block.initialize(network.getNDManager(), DataType.FLOAT32, new Shape(1, 3, SIZE, SIZE));
    network.setBlock(block);
    List<String> classes = IntStream.range(0, 10).mapToObj(i -> "class " + i).toList();
    model = new ServedModel(network, preprocessor(SIZE).withClasses(classes));
    service = new ServeImages(model, 0);
  }

  static Preprocessor<Object> preprocessor(int size) {
    return Preprocessor.of(
        DecodeImage.of()
            .andThen(Resize.of(size))
            .andThen(CenterCrop.of(size))
            .andThen(Normalize.imagenet()));
  }

  @AfterAll
  static void end() {
    service.close();
  }

  /** A JPEG of stripes, other ones for each number. */
  private static byte[] upload(int number) {
    BufferedImage image = new BufferedImage(80, 60, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    for (int x = 0; x < image.getWidth(); x += 5) {
      graphics.setColor(new Color((x * (number + 3) * 40503) & 0xFFFFFF));
      graphics.fillRect(x, 0, 5, image.getHeight());
    }
    graphics.dispose();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ImageIO.write(image, "jpg", bytes);
    } catch (IOException e) {
      throw new AssertionError("memory takes all bytes", e);
    }
    return bytes.toByteArray();
  }

  private HttpResponse<String> post(byte[] upload) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:%d/predict".formatted(service.port())))
            .POST(HttpRequest.BodyPublishers.ofByteArray(upload))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static List<String> expected(int uploads) throws Exception {
    List<String> expected = new ArrayList<>();
    try (Predictor<Object, Classifications> predictor =
        model.predictor(model.preprocessor().transform(), 3)) {
      for (int i = 0; i < uploads; i++) {
        expected.add(predictor.predict(upload(i)).best().getClassName());
      }
    }
    return expected;
  }

  @Test
  void shouldAnswerManyClientsAtOnce() throws Exception {
    List<String> expected = expected(CLIENTS);
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<HttpResponse<String>>> answers = new ArrayList<>();
      for (int i = 0; i < 5 * CLIENTS; i++) {
        byte[] upload = upload(i % CLIENTS);
        answers.add(clients.submit(() -> post(upload)));
      }
      for (int i = 0; i < answers.size(); i++) {
        HttpResponse<String> answer = answers.get(i).get();
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body())
            .contains("\"class\":\"%s\",\"probability\":".formatted(expected.get(i % CLIENTS)));
      }
    } finally {
      clients.shutdown();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "empty, 400, 0 bytes",
    "text, 400, image",
    "truncated, 400, truncated",
    "bomb, 400, 65535 x 65535",
    "large, 413, at most 20971520 bytes",
  })
  void shouldRefuseBadUploadsAndAnswerOn(String kind, int status, String reason) throws Exception {
    byte[] good = upload(1);
    byte[] upload =
        switch (kind) {
          case "empty" -> new byte[0];
          case "text" -> "not a picture".getBytes(UTF_8);
          case "truncated" -> Arrays.copyOf(good, good.length / 2);
          case "bomb" -> withSides(good, 0xFFFF);
          default -> new byte[30 << 20];
        };

    HttpResponse<String> refusal = post(upload);

    assertThat(refusal.statusCode()).as(refusal.body()).isEqualTo(status);
    assertThat(refusal.body()).startsWith("{\"error\":\"").contains(reason);
    assertThat(post(good).statusCode()).isEqualTo(200);
  }

  /** Writes other sides into the frame header of a baseline JPEG. */
  private static byte[] withSides(byte[] jpeg, int side) {
    byte[] changed = jpeg.clone();
    for (int i = 0; i + 9 < changed.length; i++) {
      if (changed[i] == (byte) 0xFF && changed[i + 1] == (byte) 0xC0) {
        Arrays.fill(changed, i + 5, i + 9, (byte) side);
        return changed;
      }
    }
    throw new AssertionError("no frame header");
  }

  @Test
  void shouldRefuseOtherMethods() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:%d/predict".formatted(service.port())))
            .build();
    HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());

    assertThat(answer.statusCode()).isEqualTo(405);
    assertThat(answer.headers().firstValue("Allow")).hasValue("POST");
  }
}

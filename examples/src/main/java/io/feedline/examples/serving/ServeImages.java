package io.feedline.examples.serving;

import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import ai.djl.ndarray.BytesSupplier;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.feedline.batch.Tensor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Answers uploads with their classes: {@code ServeImages FOLDER [PORT]}, where FOLDER has the
 * checkpoints of {@code TrainResNet50}.
 *
 * <pre>
 * curl --data-binary @shirt.jpg localhost:8080/predict
 * {"class":"shirt","probability":0.93,"top":[...]}
 * </pre>
 *
 * <p>An upload that is not an image is answered with 400 and the reason, an upload above 20 MiB
 * with 413. Each request is read in its own thread. As many threads as processors decode. One
 * thread runs the model, for up to 8 requests at once, which wait at most 5 ms for each other.
 */
public final class ServeImages implements AutoCloseable {

  private static final int MOST_BYTES = 20 << 20;

  /** The bytes of a larger upload that are read and dropped, so that the client gets the answer. */
  private static final long MOST_DISCARDED = 1L << 30;

  private static final int MOST_REQUESTS = 64;
  private static final int BATCH = 8;
  private static final Duration WAIT = Duration.ofMillis(5);
  private static final int TOP = 3;

  private final ServedModel model;
  private final Predictor<Tensor, Classifications> predictor;
  private final RequestBatcher<Tensor, Classifications> batcher;
  private final ExecutorService requests = Executors.newFixedThreadPool(MOST_REQUESTS);
  private final ExecutorService decoders =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
  private final HttpServer server;

  /**
   * Starts a service.
   *
   * @param model the model, which the service closes
   * @param port the port, or 0 for a free port
   */
  ServeImages(ServedModel model, int port) throws IOException {
    this.model = model;
    // The decoding threads have already made the rows.
    predictor = model.predictor(row -> row, TOP);
    batcher = new RequestBatcher<>(BATCH, WAIT, predictor::batchPredict);
    server = HttpServer.create(new InetSocketAddress(port), 0);
    server.setExecutor(requests);
    server.createContext("/predict", this::handle);
    server.start();
  }

  /** Serves until the process is ended. */
  public static void main(String[] args) throws Exception {
    // A client that sends or receives nothing for this many seconds is disconnected.
    System.setProperty("sun.net.httpserver.maxReqTime", "60");
    System.setProperty("sun.net.httpserver.maxRspTime", "60");
    ServedModel model = ServedModel.open(Path.of(args[0]));
    ServeImages service =
        new ServeImages(model, args.length > 1 ? Integer.parseInt(args[1]) : 8080);
    System.out.printf("%s on http://localhost:%d/predict%n", model, service.port());
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      try {
        answer(exchange);
      } catch (ExecutionException | InterruptedException | RuntimeException failure) {
        respond(exchange, 500, Map.of("error", "the model failed: " + failure.getMessage()));
        throw new IOException(failure);
      }
    }
  }

  private void answer(HttpExchange exchange)
      throws IOException, ExecutionException, InterruptedException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      respond(exchange, 405, Map.of("error", "send an image with POST"));
      return;
    }
    byte[] upload = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (upload.length > MOST_BYTES) {
      discard(exchange.getRequestBody());
      respond(
          exchange, 413, Map.of("error", "an upload has at most %d bytes".formatted(MOST_BYTES)));
      return;
    }
    Tensor row;
    try {
      row = decoders.submit(() -> model.preprocessor().row(upload)).get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof IOException unreadable) {
        respond(exchange, 400, Map.of("error", unreadable.getMessage()));
        return;
      }
      throw failure;
    }
    respond(exchange, 200, json(batcher.submit(row).get()));
  }

  private static void discard(InputStream rest) throws IOException {
    byte[] buffer = new byte[1 << 16];
    long left = MOST_DISCARDED;
    for (int read = 0; read >= 0 && left > 0; left -= read) {
      read = rest.read(buffer);
    }
  }

  private static Map<String, ?> json(Classifications answer) {
    Map<String, Object> json = json(answer.best());
    json.put("top", answer.topK().stream().map(ServeImages::json).toList());
    return json;
  }

  private static Map<String, Object> json(Classifications.Classification item) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("class", item.getClassName());
    json.put("probability", item.getProbability());
    return json;
  }

  private static void respond(HttpExchange exchange, int status, Map<String, ?> answer)
      throws IOException {
    byte[] body = BytesSupplier.wrapAsJson(answer).getAsBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  /** Ends the service; requests in progress fail. */
  @Override
  public void close() {
    server.stop(0);
    requests.shutdownNow();
    decoders.shutdownNow();
    batcher.close();
    predictor.close();
    model.close();
  }
}

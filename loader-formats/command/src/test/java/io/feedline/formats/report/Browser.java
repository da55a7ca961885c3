package io.feedline.formats.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.internal.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * Chromium without a window, led by its DevTools protocol over the JDK's own WebSocket. {@code
 * FEEDLINE_CHROMIUM} names the program; else the first on the {@code PATH} is taken.
 */
final class Browser implements AutoCloseable {

  private static final String VARIABLE = "FEEDLINE_CHROMIUM";
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
  private static final int SECONDS = 60;

  private final Process process;
  private final WebSocket socket;
  private final AtomicLong commands = new AtomicLong();
  private final Map<Long, CompletableFuture<Map<String, Object>>> answers =
      new ConcurrentHashMap<>();
  private final List<Map<String, Object>> events = Collections.synchronizedList(new ArrayList<>());
  private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();
  private String session;

  private Browser(Process process, String address) {
    this.process = process;
    this.socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(address), new Listener())
            .join();
  }

  /** Starts the browser, and skips the test where the machine lacks one. */
  static Browser start(Path profile) throws IOException {
    Optional<String> program = program();
    assumeTrue(
        program.isPresent(),
        "no Chromium: " + VARIABLE + " names none, and none of " + NAMES + " is on the PATH");
    Process process =
        new ProcessBuilder(
                program.get(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--host-resolver-rules=MAP * ~NOTFOUND",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .start();
    try {
      Browser browser = new Browser(process, address(process));
      browser.openPage();
      return browser;
    } catch (Throwable failure) {
      process.destroyForcibly();
      throw failure;
    }
  }

  private static Optional<String> program() {
    String named = System.getenv(VARIABLE);
    if (named != null) {
      return Optional.of(named);
    }
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return NAMES.stream()
        .flatMap(
            name ->
                Stream.of(path.split(File.pathSeparator))
                    .map(directory -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .map(Path::toString)
        .findFirst();
  }

  /** Returns the address that the process prints first, and discards its later output. */
  private static String address(Process process) throws IOException {
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder all = new StringBuilder();
    String line;
    while ((line = said.readLine()) != null) {
      all.append(line).append('\n');
      int address = line.indexOf("ws://");
      if (address >= 0) {
        Thread drain = new Thread(() -> said.lines().forEach(each -> {}), "browser's output");
        drain.setDaemon(true);
        drain.start();
        return line.substring(address).trim();
      }
    }
    throw new IOException("the browser ended: " + all);
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        Map<String, Object> message = Json.read(text.toString());
        text.setLength(0);
        receive(message);
      }
      from.request(1);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      answers.values().forEach(answer -> answer.completeExceptionally(error));
    }
  }

  private void receive(Map<String, Object> message) {
    if (message.get("id") instanceof Long id) {
      answers.remove(id).complete(message);
      return;
    }
    events.add(message);
    if ("Page.loadEventFired".equals(message.get("method"))) {
      loaded.complete(null);
    }
  }

  private void openPage() {
    String target =
        (String) send("Target.createTarget", Map.of("url", "about:blank")).get("targetId");
    session =
        (String)
            send("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId");
    for (String domain : List.of("Page", "Network", "Runtime", "Log")) {
      send(domain + ".enable", Map.of());
    }
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> send(String method, Map<String, Object> parameters) {
    long id = commands.incrementAndGet();
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", id);
    message.put("method", method);
    message.put("params", parameters);
    if (session != null) {
      message.put("sessionId", session);
    }
    CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    answers.put(id, answer);
    socket.sendText(Json.write(message), true).join();
    Map<String, Object> answered = answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
    assertThat(answered).as(method).doesNotContainKey("error");
    return (Map<String, Object>) answered.get("result");
  }

  /** The window's size, in CSS pixels, and the user's color scheme. */
  void look(int width, int height, String scheme) {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 600));
    send(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  void runScripts(boolean run) {
    send("Emulation.setScriptExecutionDisabled", Map.of("value", !run));
  }

  /** Opens a file, and waits until it is loaded. */
  void open(Path file) {
    events.clear();
    loaded = new CompletableFuture<>();
    send("Page.navigate", Map.of("url", file.toUri().toString()));
    loaded.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** The value of an expression, in JSON's types. */
  @SuppressWarnings("unchecked")
  Object evaluate(String expression) {
    Map<String, Object> result =
        send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    assertThat(result).as(expression).doesNotContainKey("exceptionDetails");
    return ((Map<String, Object>) result.get("result")).get("value");
  }

  /** The events of a kind since the page was opened. */
  List<String> events(String method) {
    synchronized (events) {
      return events.stream()
          .filter(event -> method.equals(event.get("method")))
          .map(event -> String.valueOf(event.get("params")))
          .toList();
    }
  }

  /** A picture of the whole page, PNG. */
  byte[] picture() {
    return bytes(
        send("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true)));
  }

  /** The page as it is printed, PDF. */
  byte[] print() {
    return bytes(send("Page.printToPDF", Map.of("printBackground", true)));
  }

  private static byte[] bytes(Map<String, Object> result) {
    return Base64.getDecoder().decode((String) result.get("data"));
  }

  /** Ends the browser and waits for all of its processes, so that its profile can be deleted. */
  @Override
  public void close() {
    List<ProcessHandle> all = process.descendants().toList();
    session = null;
    send("Browser.close", Map.of());
    socket.abort();
    process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    all.forEach(each -> each.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join());
  }
}

package io.feedline.formats.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.internal.Json;
import io.feedline.stats.RunRecord;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page as a browser shows it; skipped on a machine without a browser. */
@Timeout(180)
@Tag("once")
class RunReportInBrowserTest {

  private static final List<String> CHARTS =
      List.of("timeline", "throughput", "waits", "stages", "occupancy", "stalls");

  @TempDir static Path temp;

  private static Browser browser;
  private static Map<String, Object> json;
  private static Path page;
  private static Path large;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start(temp.resolve("profile"));
    RunRecord record = Runs.small();
    json = Json.read(record.toJson());
    page = temp.resolve("report.html");
    large = temp.resolve("large.html");
    RunReport.of(record).writeTo(page);
    RunReport.of(Runs.large()).writeTo(large);
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  private static void open(Path file, int width, String scheme) {
    browser.look(width, 900, scheme);
    browser.open(file);
  }

  private static double number(String expression) {
    return ((Number) browser.evaluate(expression)).doubleValue();
  }

  @SuppressWarnings("unchecked")
  private static double sum(String object, String list) {
    return ((List<Number>) ((Map<String, Object>) json.get(object)).get(list))
        .stream().mapToDouble(Number::doubleValue).sum();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(String name) {
    return (Map<String, Object>) json.get(name);
  }

  /** Returns the number of colors of a canvas: one, transparent, if nothing was drawn. */
  private static double colors(String chart) {
    return number(
        """
        (() => { const c = document.getElementById('%sChart');
          const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
          const colors = new Set();
          for (let i = 0; i < d.length; i += 4) colors.add(d[i] << 24 | d[i + 1] << 16 | d[i + 2] << 8 | d[i + 3]);
          return colors.size; })()
        """
            .formatted(chart));
  }

  @ParameterizedTest
  @CsvSource({"1280, light", "1280, dark", "390, light"})
  void shouldDrawEachChart(int width, String scheme) {
    open(page, width, scheme);

    for (String chart : CHARTS) {
      assertThat(colors(chart)).as(chart).isGreaterThan(20);
    }
    assertThat(browser.evaluate("document.documentElement.dataset.charts")).isEqualTo("6");
  }

  @Test
  void shouldNameAxesWithUnitsAndHaveALegend() {
    open(page, 1280, "light");

    for (String chart : CHARTS) {
      String of = "Chart.getChart('%sChart')".formatted(chart);
      String titles =
          String.valueOf(
              browser.evaluate(
                  "Object.values(%s.scales).map(s => s.options.title.display ? s.options.title.text : '').join('|')"
                      .formatted(of)));
      assertThat(titles)
          .as(chart)
          .containsPattern("step|, (s|ms|us)\\b|samples/s|, %|batches|logarithmic");
      assertThat(number(of + ".legend.legendItems.filter(i => i.text).length"))
          .as(chart)
          .isEqualTo(number(of + ".data.datasets.length"))
          .isGreaterThan(0);
    }
  }

  @Test
  void shouldDrawTheNumbersOfTheRecord() {
    open(page, 1280, "light");

    // Batches in the bars, and those that were there at once.
    double bars =
        number("Chart.getChart('waitsChart').data.datasets[0].data.reduce((s, p) => s + p.y, 0)");
    double atOnce =
        number(
            "JSON.parse(run.textContent).waits_histogram.up_to_seconds.reduce((s, t, i) =>"
                + " s + (t > 1e-6 ? 0 : JSON.parse(run.textContent).waits_histogram.count[i]), 0)");
    assertThat(bars + atOnce).isEqualTo(sum("waits_histogram", "count")).isEqualTo(60);
    assertThat(browser.evaluate("document.querySelector('#waits .note').textContent").toString())
        .startsWith(Math.round(atOnce) + " of 60 batches were there at once");

    // The line t.
    double t = ((Number) object("service_level").get("step_seconds")).doubleValue();
    assertThat(number("10 ** Chart.getChart('waitsChart').data.datasets[1].data[0].x"))
        .isCloseTo(t, within(1e-9));

    // All waits, step by step: the last point repeats the one before.
    String timeline = "Chart.getChart('timelineChart')";
    double unit = unit(timeline + ".scales.y");
    String waits =
        timeline + ".data.datasets.find(d => d.label === 'wait for the batch').data.slice(0, -1)";
    assertThat(number(waits + ".length")).isEqualTo(60);
    assertThat(unit * number(waits + ".reduce((s, p) => s + p.y, 0)"))
        .isCloseTo(sum("steps", "waited_seconds"), within(1e-9));

    // Stalls and stages.
    double stalls =
        number(
            "JSON.parse(run.textContent).stalls.by_cause.reduce((s, c) => s + c.waited_seconds,"
                + " 0)");
    double drawn =
        number("Chart.getChart('stallsChart').data.datasets[0].data.reduce((s, x) => s + x, 0)");
    assertThat(unit("Chart.getChart('stallsChart').scales.x") * drawn)
        .isCloseTo(stalls, within(1e-9));
    assertThat(number("Chart.getChart('stagesChart').data.labels.length"))
        .isEqualTo(((List<?>) object("total").get("stages")).size());
  }

  /** Returns the seconds of an axis's unit. */
  private static double unit(String axis) {
    String title = browser.evaluate(axis + ".options.title.text").toString();
    return Map.of("s", 1.0, "ms", 1e-3, "us", 1e-6).get(title.replaceFirst(".*, ", ""));
  }

  @Test
  void shouldShowTheNumbersOfTheRecordInTables() {
    open(page, 1280, "light");

    Map<?, ?> waits = (Map<?, ?>) object("total").get("waits");
    assertThat(browser.evaluate("document.querySelector('#waits').textContent").toString())
        .contains("99%" + Html.time(((Number) waits.get("p99_seconds")).doubleValue()))
        .contains("all" + Html.time(((Number) waits.get("max_seconds")).doubleValue()));
    assertThat(
            browser.evaluate("document.querySelector('#epochs tbody tr:last-child').textContent"))
        .asString()
        .startsWith("all60480");
  }

  @Test
  void shouldShowTheOneLongWaitOfAHundredThousandSteps() {
    open(large, 1280, "light");

    String longest =
        "Chart.getChart('timelineChart').data.datasets.find(d => d.label === 'longest wait').data";
    assertThat(number(longest + ".length")).isBetween(500.0, 1025.0);
    String of = longest + ".find(p => p.x <= 77777 && 77777 < p.x + 128).y";
    assertThat(number(of)).isGreaterThanOrEqualTo(0.5);
    assertThat(number("Chart.getChart('timelineChart').scales.y.max"))
        .isGreaterThanOrEqualTo(number(of));
  }

  @Test
  void shouldFetchNothing() {
    open(page, 1280, "light");

    assertThat(browser.events("Network.requestWillBeSent"))
        .hasSize(1)
        .allMatch(request -> request.contains("report.html"));
    assertThat(browser.events("Log.entryAdded")).isEmpty();
    assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
    // And could not, were it told to.
    browser.evaluate("new Image().src = 'http://localhost:1/x.png'; 0");
    browser.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {text: 'window.pwned"
            + " = 1'})); 0");
    assertThat(browser.evaluate("window.pwned === undefined")).isEqualTo(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 768, 1280})
  void shouldNotScrollSideways(int width) {
    open(page, width, "light");

    assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
    browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })");
    assertThat(number("document.documentElement.scrollWidth")).isLessThanOrEqualTo(width);
  }

  @Test
  void shouldFollowTheColorScheme() {
    open(page, 1280, "light");
    assertThat(color("card")).isEqualTo("#ffffff");
    browser.look(1280, 900, "dark");
    assertThat(luminance("page")).isLessThan(0.1);
    // Also the charts that were drawn before; a picture waits for the frame in which they follow.
    assertThat(browser.picture()).isNotEmpty();
    assertThat(browser.evaluate("Chart.getChart('waitsChart').options.scales.x.title.color"))
        .isEqualTo("#a9b4c2");
  }

  private static String color(String name) {
    return browser
        .evaluate(
            "getComputedStyle(document.documentElement).getPropertyValue('--%s').trim()"
                .formatted(name))
        .toString();
  }

  /** WCAG 2 AA: 4.5 to 1 for text, 3 to 1 for what charts draw. */
  @ParameterizedTest
  @ValueSource(strings = {"light", "dark"})
  void shouldHaveContrast(String scheme) {
    open(page, 1280, scheme);

    for (String name : List.of("text", "soft", "good", "bad", "unknown")) {
      assertThat(contrast(name, "card")).as("%s on a card, %s", name, scheme).isGreaterThan(4.5);
      assertThat(contrast(name, "page")).as("%s on the page, %s", name, scheme).isGreaterThan(4.5);
    }
    for (String name :
        List.of("wait", "compute", "longest", "limit", "ready", "slots", "busy", "queue")) {
      assertThat(contrast(name, "card")).as("%s, %s", name, scheme).isGreaterThan(3.0);
    }
  }

  private static double contrast(String one, String other) {
    double a = luminance(one);
    double b = luminance(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double luminance(String name) {
    int rgb = Integer.parseInt(color(name).substring(1), 16);
    return 0.2126 * linear(rgb >> 16 & 255)
        + 0.7152 * linear(rgb >> 8 & 255)
        + 0.0722 * linear(rgb & 255);
  }

  private static double linear(int channel) {
    double c = channel / 255.0;
    return c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4);
  }

  @Test
  void shouldShowItsTablesWithoutScripts() {
    browser.runScripts(false);
    try {
      open(page, 1280, "light");
      assertThat(
              browser.evaluate(
                  "document.querySelectorAll('main section:not(#blame) details[open] table').length"))
          .isEqualTo(6L);
      assertThat(browser.evaluate("document.querySelector('noscript').textContent").toString())
          .contains("Charts need scripts");
    } finally {
      browser.runScripts(true);
    }
  }

  @Test
  void shouldPrintInLightColorsWithTables() {
    open(page, 1280, "dark");

    byte[] pdf = browser.print();

    assertThat(new String(pdf, 0, 5, StandardCharsets.US_ASCII)).isEqualTo("%PDF-");
    // Afterwards it is as before.
    assertThat(browser.evaluate("document.querySelectorAll('main details[open]').length"))
        .isEqualTo(0L);
    // The text that the print saw.
    browser.evaluate("dispatchEvent(new Event('beforeprint'))");
    assertThat(browser.evaluate("document.querySelectorAll('main details:not([open])').length"))
        .isEqualTo(0L);
    assertThat(color("card")).isEqualTo("#ffffff");
    assertThat(browser.evaluate("Chart.getChart('waitsChart').options.scales.x.title.color"))
        .isEqualTo("#55606e");
    browser.evaluate("dispatchEvent(new Event('afterprint'))");
  }

  @Test
  void shouldHaveAPageForALoaderThatHasDoneNothing() throws IOException {
    Path none = temp.resolve("none.html");
    RunReport.of(Runs.none()).writeTo(none);
    open(none, 390, "light");

    assertThat(browser.evaluate("document.documentElement.dataset.charts")).isEqualTo("6");
    assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
    Set<String> names = new HashSet<>(CHARTS);
    names.removeIf(name -> number("document.getElementById('%sChart').width".formatted(name)) > 0);
    assertThat(names).isEmpty();
  }

  /**
   * Chromium without a window, led by its DevTools protocol over the JDK's own WebSocket. {@code
   * FEEDLINE_CHROMIUM} names the program; else the first on the {@code PATH} is taken.
   */
  private static final class Browser implements AutoCloseable {

    private static final String VARIABLE = "FEEDLINE_CHROMIUM";
    private static final List<String> NAMES =
        List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final int SECONDS = 60;

    private final Process process;
    private final WebSocket socket;
    private final AtomicLong commands = new AtomicLong();
    private final Map<Long, CompletableFuture<Map<String, Object>>> answers =
        new ConcurrentHashMap<>();
    private final List<Map<String, Object>> events =
        Collections.synchronizedList(new ArrayList<>());
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
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
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
}

package io.feedline.formats.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.internal.Json;
import io.feedline.stats.RunRecord;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.imageio.ImageIO;
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

  @Test
  void shouldNotRunWhatANameSays() {
    open(page, 1280, "light");

    assertThat(browser.evaluate("document.querySelector('h1').textContent")).isEqualTo(Runs.NAME);
    assertThat(browser.events("Page.javascriptDialogOpening")).isEmpty();
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
  void shouldFollowTheColorScheme() throws IOException {
    open(page, 1280, "light");
    double light = brightness(browser.picture());
    browser.look(1280, 900, "dark");

    assertThat(brightness(browser.picture())).isLessThan(80);
    assertThat(light).isGreaterThan(220);
    // Also the charts that were drawn before.
    assertThat(browser.evaluate("Chart.getChart('waitsChart').options.scales.x.title.color"))
        .isEqualTo("#a9b4c2");
  }

  private static double brightness(byte[] png) throws IOException {
    BufferedImage image = ImageIO.read(new ByteArrayInputStream(png));
    double sum = 0;
    int pixels = 0;
    for (int y = 0; y < image.getHeight(); y += 5) {
      for (int x = 0; x < image.getWidth(); x += 5) {
        int rgb = image.getRGB(x, y);
        sum += ((rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255)) / 3.0;
        pixels++;
      }
    }
    return sum / pixels;
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
    String color =
        browser
            .evaluate(
                "getComputedStyle(document.documentElement).getPropertyValue('--%s').trim()"
                    .formatted(name))
            .toString();
    int rgb = Integer.parseInt(color.substring(1), 16);
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
    assertThat(
            browser.evaluate(
                "getComputedStyle(document.documentElement).getPropertyValue('--card').trim()"))
        .isEqualTo("#ffffff");
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
}

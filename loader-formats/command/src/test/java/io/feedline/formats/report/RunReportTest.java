package io.feedline.formats.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.internal.Json;
import io.feedline.stats.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunReportTest {

  private static RunRecord record;

  @TempDir Path temp;

  @BeforeAll
  static void run() {
    record = Runs.small();
  }

  private static String page() {
    return RunReport.of(record).toHtml();
  }

  /** Returns the record with another member in one of its objects. */
  @SuppressWarnings("unchecked")
  private static String with(String json, String object, String name, Object value) {
    Map<String, Object> members = Json.read(json);
    ((Map<String, Object>) members.get(object)).put(name, value);
    return Json.write(members);
  }

  private static String with(String object, String name, Object value) {
    return with(record.toJson(), object, name, value);
  }

  @Test
  void shouldHaveTheRecordInThePage() {
    Matcher data =
        Pattern.compile(
                "<script type=\"application/json\" id=\"run\">(.*?)</script>", Pattern.DOTALL)
            .matcher(page());

    assertThat(data.find()).isTrue();
    assertThat(Json.read(data.group(1))).isEqualTo(Json.read(record.toJson()));
    assertThat(data.find()).isFalse();
  }

  @Test
  void shouldEscapeNamesThatBreakPages() {
    String page = page();

    assertThat(page)
        .contains("<h1>" + Html.text(Runs.NAME) + "</h1>")
        .contains("resnet50 &lt;script&gt;")
        .contains("/data/it&#39;s &quot;here&quot;")
        .doesNotContain("<script>alert", "<b>&amp;");
    // The data, Chart.js and the page's own; and as many ends.
    assertThat(page.split("<script[ >]", -1)).hasSize(4);
    assertThat(page.split("</script>", -1)).hasSize(4);
  }

  @Test
  void shouldForbidThePageToFetchAnythingAndCarryTheLicenseOfItsLibrary() {
    String page = page();

    assertThat(page)
        .containsPattern(
            "Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-")
        .doesNotContain("sourceMappingURL", "<link", "<img", "@import", "url(");
    assertThat(page).contains("The MIT License (MIT)", "Chart.js Contributors");
    assertThat(page).doesNotContainPattern("(src|href)=\"");
  }

  @Test
  void shouldHaveATableAndWordsForEachChart() {
    Matcher section =
        Pattern.compile(
                "<section id=\"\\w+\"[^>]*>(?:(?!</section>).)*<canvas.*?</section>",
                Pattern.DOTALL)
            .matcher(page());

    int charts = 0;
    while (section.find()) {
      charts++;
      assertThat(section.group())
          .containsPattern("<canvas id=\"\\w+\" role=\"img\" aria-label=\"[A-Z][^\"]{20,}\"");
      Matcher table =
          Pattern.compile("The table of (\\w+) has the numbers").matcher(section.group());
      assertThat(table.find()).isTrue();
      assertThat(page().toLowerCase(Locale.ROOT)).contains("<caption>" + table.group(1));
    }
    assertThat(charts).isEqualTo(6);
  }

  @Test
  void shouldBeginWithTheCircumstancesAndWithWhatToChange() {
    String page = page();

    assertThat(page)
        .contains("<dt>images</dt><dd>/data/it&#39;s &quot;here&quot;</dd>")
        .contains("<dt>loader</dt><dd>2 workers, batches of 8, ")
        .contains("<dt>other processes</dt><dd>")
        .contains("<dt>feedline</dt><dd>");
    assertThat(page.indexOf("<section id=\"advice\">"))
        .isPositive()
        .isLessThan(page.indexOf("<section id=\"timeline\">"));
    assertThat(RunReport.of(record).advice()).isNotEmpty();
  }

  /** The parts are the whole, however the stages' times were measured. */
  @Test
  void shouldSayWhoseTheProcessorTimeWas() {
    Object stages =
        List.of(
            Map.of("name", "decoding", "elapsed_seconds", 6, "cpu_seconds", 3.5),
            Map.of("name", "writing", "elapsed_seconds", 1, "cpu_seconds", 0.5));
    String text = with(with("total", "stages", stages), "machine", "kernels", "vector");
    Map<String, Object> json = Json.read(with(text, "machine", "feedline", "0.1.0"));
    json.put(
        "processor",
        Map.of("process_seconds", 9, "workers_seconds", 4.25, "other_threads_seconds", 3));

    assertThat(RunReport.ofJson(Json.write(json)).toHtml())
        .contains("<dt>feedline</dt><dd>0.1.0, vector kernels</dd>")
        .contains(
            "Processors worked 9 s for the process: 4 s in stages, 250 ms in workers beside them,"
                + " 3 s in other threads, the training&#39;s among them, and 1.8 s in the");

    json.remove("processor");
    assertThat(RunReport.ofJson(Json.write(json)).toHtml()).doesNotContain("Processors worked");
  }

  @Test
  void shouldSayWhatChangedSinceAnEarlierRun() {
    String page = RunReport.of(record).comparedWith(record.toJson()).toHtml();

    assertThat(page)
        .contains("<section id=\"changed\">", "1.00 times as many samples a second came")
        .contains("All options are the same.");
    assertThat(page()).doesNotContain("<section id=\"changed\">");
  }

  @Test
  void shouldNotCompareTheLoadOfMachinesWhereItIsNotKnown() {
    String known = with("machine", "other_processes_processors", 0.1);
    String unknown = with("machine", "other_processes_processors", null);

    assertThat(RunReport.ofJson(known).comparedWith(known).toHtml())
        .contains("processors of other processes");
    assertThat(RunReport.ofJson(known).comparedWith(unknown).toHtml())
        .doesNotContain("processors of other processes");
  }

  @Test
  void shouldSayTheVerdictInWords() {
    Map<String, Object> json = Json.read(record.toJson());
    String verdict = ((Map<?, ?>) json.get("service_level")).get("verdict").toString();

    assertThat(page())
        .contains("<p>The consumer waited for batches ")
        .contains("<p>" + Html.text(verdict.split(": ", 2)[0]) + ".")
        .containsPattern(">(Keeps up|Falls behind)</h2>");
  }

  @ParameterizedTest
  @CsvSource({"1000.5, true", "0.000001, false"})
  void shouldTellWhatOnlyTheBeginningTook(double seconds, boolean told) {
    Object startUp = Map.of("cause", "start-up", "count", 1, "waited_seconds", seconds);
    String page = RunReport.ofJson(with("stalls", "by_cause", List.of(startUp))).toHtml();

    assertThat(page.contains("<p>Of that, 16 min 41 s went into beginning, when nothing"))
        .isEqualTo(told);
    assertThat(page.contains("went into beginning")).isEqualTo(told);
  }

  @Test
  void shouldNameTheSampleToBlame() {
    Object stall =
        Json.read(
            """
            {"cause":"one slow sample","stage":"reading","epoch":3,"batch":1017,
             "waited_seconds":0.052,"index":2190,
             "detail":"sample 2190 (train/<cat>/7.jpg) took 60 ms, most of it reading"}
            """);
    assertThat(RunReport.ofJson(with("stalls", "longest", List.of(stall))).toHtml())
        .contains(
            "<th scope=\"row\">epoch 3, batch 1\u202f017</th><td class=\"n\""
                + " data-head=\"waited\">52 ms</td><td data-head=\"cause\">one slow"
                + " sample</td><td class=\"n\" data-head=\"sample to blame\">2\u202f190</td><td"
                + " class=\"words\" data-head=\"evidence\">sample 2190"
                + " (train/&lt;cat&gt;/7.jpg) took 60 ms, most of it reading</td>");
  }

  @Test
  void shouldWriteNumbersTheSameInEveryLocale() {
    String page = page();
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.GERMANY);
      assertThat(page()).isEqualTo(page);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldReportALoaderThatHasDoneNothing() {
    assertThat(RunReport.of(Runs.none()).toHtml())
        .contains("No batch has been delivered.", ">Not judged</h2>");
  }

  @Test
  void shouldKeepAPageOfManyStepsSmall() throws Exception {
    Path file = temp.resolve("report.html");

    RunReport.of(Runs.large()).writeTo(file);

    assertThat(Files.size(file)).isBetween(250_000L, 400_000L);
    assertThat(Files.readString(file)).contains("batch 77\u202f777");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | run record: no JSON object",
        "{} | not the record of a run, whose 'kind' is 'feedline run'",
        "{\"feedline\":2} | not the record of a run",
        "{\"kind\":\"feedline run\"} | run record: 'version' is missing",
        "{\"kind\":\"feedline run\",\"version\":2} | has version 2, and this report reads version"
            + " 1",
        "{\"kind\":\"feedline run\",\"version\":1} | run record: 'stalls' is missing",
      })
  void shouldSayWhatIsNoRecord(String text, String message) {
    assertThatThrownBy(() -> RunReport.ofJson(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"step_measured\":false | \"step_measured\":1 | run record: service_level: 'step_measured'"
            + " must be true or false, was Long",
        "\"batches\":60 | \"batches\":\"x\" | run record: total: 'batches' must be a whole number, was"
            + " String",
        "\"first\":\\[0, | \"first\":[ | run record: steps: count must have 59 numbers, as the"
            + " lists beside it, has 60",
        "\"first\":\\[0, | \"first\":[\"a\", | run record: steps: 'first[0]' must be a number, was"
            + " String",
      })
  void shouldSayWhatIsWrongWithARecord(String part, String other, String message) {
    String broken = record.toJson().replaceFirst(part, other);

    assertThat(broken).isNotEqualTo(record.toJson());
    assertThatThrownBy(() -> RunReport.ofJson(broken))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0%",
    "0.0004, <0.1%",
    "0.014, 1.4%",
    "0.25, 25%",
    "0.932, 93.2%",
    "0.99996, 99.9%",
    "1, 100%"
  })
  void shouldNotRoundAShareToNothingOrAll(double share, String words) {
    assertThat(Html.percent(share)).isEqualTo(words);
  }
}

package io.feedline.formats.cli.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.cli.Feedline;
import io.feedline.formats.cli.internal.command.ByteRate;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest {
  private static final String RESNET = "--batch-size 128 --step-time 87ms --example-size 64KB";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void shouldGiveTheMainFiguresAsJson() {
    Map<String, Object> json = json("--batch-size 512 --step-time 87ms --example-size 64KB --json");

    assertThat(number(json, "examples_per_second")).isEqualTo(512 / 0.087);
    assertThat(number(json, "reads_per_second")).isEqualTo(512 / 0.087);
    assertThat(number(json, "bytes_per_second")).isEqualTo(512 / 0.087 * 65536);
  }

  @Test
  void shouldKeepTheNamesInJson() {
    Map<String, Object> json = json(RESNET + " --json");

    assertThat(json.keySet())
        .containsExactly(
            "examples_per_second",
            "reads_per_second",
            "bytes_per_second",
            "attainable_examples_per_second",
            "epoch_seconds",
            "attainable_epoch_seconds",
            "workload",
            "workers",
            "prefetch",
            "storage",
            "check",
            "packed");
    assertThat(json).containsEntry("epoch_seconds", null).containsEntry("storage", null);

    assertThat(
            json(RESNET + " --json --storage nfs --examples 10000 --cpu-per-example 2ms").keySet())
        .isEqualTo(json.keySet());
  }

  @Test
  void shouldGiveEverythingThatIsKnownAsJson() {
    Map<String, Object> json =
        json(
            RESNET
                + " --gpus 4 --storage object-store --examples 1000000 --cpu-per-example 2ms"
                + " --workers 8 --tensor-size 588KB --json");

    assertThat(json.get("workload"))
        .hasToString(
            "{batch_size=128, step_seconds=0.087, examples_per_second_of_gpu=1471.264367816092,"
                + " gpus=4, experiments=1, example_bytes=65536, examples=1000000}");
    Map<String, Object> workers = object(json, "workers");
    assertThat(workers)
        .containsEntry("needed_per_gpu", 48L)
        .containsEntry("needed", 192L)
        .containsEntry("given_per_gpu", 8L);
    assertThat(number(workers, "processors")).isBetween(11.77, 11.78);
    Map<String, Object> prefetch = object(json, "prefetch");
    assertThat(prefetch).containsEntry("batches", 2L).containsEntry("open_batches", 2L);
    assertThat(number(prefetch, "bytes")).isEqualTo(4.0 * 4 * 128 * 588 * 1024);
    assertThat(number(prefetch, "bytes_per_gpu")).isEqualTo(4.0 * 128 * 588 * 1024);
    assertThat(number(prefetch, "hidden_read_seconds")).isEqualTo(0.174);
    Map<String, Object> storage = object(json, "storage");
    assertThat(storage).containsEntry("name", "object-store");
    assertThat(number(storage, "latency_seconds")).isEqualTo(0.03);
    Map<String, Object> check = object(json, "check");
    assertThat(check).containsEntry("verdict", "too-slow").containsEntry("limit", "latency");
    assertThat(number(check, "load")).isBetween(5.51, 5.52);
    assertThat(number(check, "reads_in_flight")).isBetween(176.5, 176.6);
    assertThat(object(check, "loads").keySet())
        .containsExactly("latency", "reads_per_second", "bandwidth");
    assertThat(number(json, "attainable_examples_per_second"))
        .isCloseTo(4 * 8 / 0.032, within(1e-9));
    assertThat(number(json, "attainable_epoch_seconds")).isCloseTo(1000, within(1e-9));
    Map<String, Object> packed = object(json, "packed");
    assertThat(packed).containsEntry("read_bytes", 8L << 20);
    assertThat(object(packed, "check")).containsEntry("verdict", "suffices");
  }

  @Test
  void shouldSayWhatIsNeeded() {
    assertThat(plan(RESNET + " --gpus 4 --examples 1281167 --tensor-size 588KB")).isZero();

    assertThat(out.toString())
        .containsPattern("each GPU +all 4\n")
        .containsPattern("examples/s +1471 +5885\n")
        .containsPattern("reads/s +1471 +5885\n")
        .containsPattern("bandwidth +92.0 MiB/s +368 MiB/s\n")
        .containsPattern("prefetch memory +294 MiB +1.1 GiB\n")
        .containsPattern("time of an epoch +3.6 min\n")
        .contains("--storage, one of nvme, sata-ssd, disk, nfs, object-store")
        .contains("5885 reads/s become 46.0 of 8.0 MiB; the bandwidth stays 368 MiB/s.");
  }

  @Test
  void shouldHaveOneColumnForOneGpu() {
    assertThat(plan(RESNET)).isZero();

    assertThat(out.toString()).containsPattern("examples/s +1471\n").doesNotContain("all 1");
  }

  @Test
  void shouldSayThatAStorageSuffices() {
    assertThat(plan(RESNET + " --storage nvme")).isZero();

    assertThat(out.toString())
        .contains("nvme suffices: the nearest limit is bandwidth, of which 3% is used.")
        .contains("Each GPU's loader needs 1 worker: numWorkers(1) or more")
        .doesNotContain("compute at most", "feedline convert");
  }

  @Test
  void shouldSayThatAStorageIsTight() {
    assertThat(plan(RESNET + " --gpus 10 --storage nfs")).isZero();

    assertThat(out.toString())
        .contains("nfs is tight: 88% of its bandwidth is used")
        .contains("feedline convert --resize")
        .doesNotContain("compute at most");
  }

  @Test
  void shouldSayByHowMuchReadsAreTooFewAndThatPackingHelps() {
    assertThat(plan(RESNET + " --gpus 4 --storage object-store --examples 1281167")).isZero();

    assertThat(out.toString())
        .contains(
            "object-store is too slow by a factor of 1.07: the limit is reads/s, with 5885 reads/s"
                + " needed and 5500 reads/s given.")
        .contains("GPUs compute at most 93% of the time, at 5500 of 5885 examples/s; an epoch")
        .contains("numWorkers(45)")
        .contains("and object-store then suffices, with 35% of its bandwidth used")
        .contains("feedline convert SRC DST --to webdataset");
  }

  @Test
  void shouldSayByHowMuchWorkersAreTooFewForTheLatency() {
    assertThat(plan(RESNET + " --storage object-store --workers 8")).isZero();

    assertThat(out.toString())
        .contains("too slow by a factor of 5.52: the limit is latency, with 44.1 reads in flight")
        .contains("8 workers for each GPU's loader are too few: set numWorkers(45)")
        .contains("GPUs compute at most 18% of the time");
  }

  @Test
  void shouldSayThatPackingDoesNotHelpAgainstBandwidth() {
    assertThat(plan(RESNET + " --gpus 8 --storage nfs --storage-bandwidth 100MB/s")).isZero();

    assertThat(out.toString())
        .contains("nfs is too slow by a factor of 7.36: the limit is bandwidth, with 736 MiB/s")
        .contains("packing does not")
        .contains("--storage-bandwidth as given; else typical")
        .doesNotContain("feedline convert SRC");
  }

  @Test
  void shouldSayThatWorkersAreTooFewForDecoding() {
    assertThat(plan(RESNET + " --cpu-per-example 5ms --workers 4")).isZero();

    assertThat(out.toString())
        .containsPattern("processors +7.36\n")
        .contains("4 workers for each GPU's loader are too few: set numWorkers(8)")
        .contains("GPUs compute at most 54% of the time, at 800 of 1471 examples/s.");
  }

  @Test
  void shouldSayThatNoLoaderTakesSoManyWorkers() {
    assertThat(plan(RESNET + " --storage object-store --latency 10s")).isZero();

    assertThat(out.toString())
        .contains("would need 14713 workers", "but can have at most 4096")
        .doesNotContain("numWorkers");
  }

  @Test
  void shouldNotOfferToPackLargeExamples() {
    assertThat(plan("--examples-per-second 20 --example-size 8M --storage disk --latency 1s"))
        .isZero();

    assertThat(out.toString())
        .contains("Packing changes little")
        .doesNotContain("Pack the examples", "feedline convert SRC", "prefetch memory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nvme", "sata-ssd", "disk", "nfs", "object-store"})
  void shouldReplaceEveryFigureOfAStorage(String kind) {
    Map<String, Object> storage =
        object(
            json(
                RESNET
                    + " --json --latency 2ms --storage-reads-per-second 777 --storage-bandwidth 5M"
                    + " --storage "
                    + kind),
            "storage");

    assertThat(storage)
        .hasToString(
            "{name=%s, latency_seconds=0.002, reads_per_second=777.0, bytes_per_second=5242880.0,"
                    .formatted(kind)
                + " source=as given}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sata-ssd", "SATA-SSD"})
  void shouldKnowAStorageInAnyCase(String kind) {
    assertThat(object(json(RESNET + " --json --storage " + kind), "storage"))
        .containsEntry("name", "sata-ssd");
  }

  @Test
  void shouldDescribeAStorageOfNoKind() {
    Map<String, Object> json =
        json(
            RESNET + " --json --latency 2ms --storage-reads-per-second 777 --storage-bandwidth 5M");

    assertThat(object(json, "storage")).containsEntry("name", "the storage");
    assertThat(object(json, "check")).containsEntry("verdict", "too-slow");
  }

  @ParameterizedTest
  @CsvSource({
    "--example-size 64KB --examples 1000, 65536, 1000",
    "--example-size 64KB --dataset-size 1M, 65536, 16",
    "--dataset-size 1M --examples 16, 65536, 16",
    "--dataset-size 100 --examples 3, 33, 3",
  })
  void shouldComputeTheThirdOfSizeCountAndTotal(String options, long bytes, long examples) {
    Map<String, Object> json = json("--batch-size 10 --step-time 1s --json " + options);

    assertThat(object(json, "workload"))
        .containsEntry("example_bytes", bytes)
        .containsEntry("examples", examples);
    assertThat(number(json, "epoch_seconds")).isEqualTo(examples / 10.0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"87ms", "0.087s", "87000us", "87 ms"})
  void shouldTakeAStepsTimeInAnyUnit(String time) {
    assertThat(
            feedline(
                "plan",
                "--batch-size",
                "128",
                "--step-time",
                time,
                "--example-size",
                "1",
                "--json"))
        .isZero();
    assertThat(number(Json.read(out.toString()), "examples_per_second")).isEqualTo(128 / 0.087);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | --example-size, such as 64KB",
        "--example-size 64KB | --batch-size with --step-time",
        "--batch-size 128 --example-size 64KB | --batch-size with --step-time",
        "--step-time 87ms --example-size 64KB | --step-time needs --batch-size",
        "--batch-size 128 --step-time 87 --example-size 64KB | '--step-time': '87' is not a time",
        "--batch-size 128 --step-time 0ms --example-size 64KB | '--step-time'",
        "--batch-size 0 --step-time 87ms --example-size 64KB | --batch-size must be 1 or more, was"
            + " 0",
        "--batch-size x --step-time 87ms --example-size 64KB | '--batch-size': 'x' is not an int",
        "--batch-size 128 --step-time 87ms --example-size 64X | '--example-size': '64X' is not a"
            + " size: expected",
        "--batch-size 128 --step-time 87ms | --dataset-size with --examples",
        "--batch-size 128 --step-time 87ms --examples 9 | --dataset-size with --examples",
        "--batch-size 128 --step-time 87ms --dataset-size 9 --examples 0 | --examples must be 1 or",
        "--batch-size 128 --step-time 87ms --dataset-size 9 --examples 10 | 10 --examples, was 9",
        "RESNET --examples-per-second 9 | --step-time and --examples-per-second",
        "--examples-per-second -1 --example-size 64KB | --examples-per-second must be above 0",
        "--examples-per-second NaN --example-size 64KB | was NaN",
        "--examples-per-second 1e13 --example-size 64KB | 1e12 at most, was 1.0E13",
        "RESNET --gpus 0 | --gpus must be 1 or more, was 0",
        "RESNET --experiments -3 | --experiments must be 1 or more, was -3",
        "RESNET --examples 0 | --examples must be 1 or more, was 0",
        "RESNET --examples 5 --dataset-size 1M | leave one out",
        "RESNET --dataset-size 63K | one --example-size, 65536 bytes, was 64512",
        "RESNET --workers 0 | --workers must be from 1 to 4096, was 0",
        "RESNET --workers 4097 | --workers must be from 1 to 4096, was 4097",
        "RESNET --cpu-per-example 2 | '--cpu-per-example'",
        "RESNET --storage floppy | '--storage': 'floppy' is none of nvme, sata-ssd, disk, nfs,"
            + " object-store",
        "RESNET --latency 1ms | --storage KIND, or all of --latency",
        "RESNET --latency 1ms --storage-bandwidth 1G | --latency, --storage-bandwidth without",
        "RESNET --storage nfs --storage-reads-per-second 0 | --storage-reads-per-second must be",
        "RESNET --storage nfs --storage-bandwidth 1X/s | '1X' is not a size",
        "RESNET more | Unmatched argument",
      })
  void shouldSayWhatIsWrongWithAnOption(String options, String words) {
    assertThat(plan(options.replace("RESNET", RESNET))).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains(words).contains("Usage: feedline plan");
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--gpus 4 --storage object-store --examples 1281167 --cpu-per-example 2ms",
        "--gpus 4 --storage object-store --examples 1281167 --cpu-per-example 2ms --json",
        "--storage disk --workers 8",
        "--storage nfs --latency 10s",
        "--gpus 10 --storage nfs",
        "--gpus 0",
        "--workers 5000",
        "--examples-per-second -1.5 --example-size 64KB",
        "--dataset-size 10K",
      })
  void shouldPrintTheSameInEveryLocale(String options) {
    String command = options.contains("per-second -") ? options : RESNET + ' ' + options;
    plan(command);
    String expected = out.toString() + err;
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);

    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      plan(command);
    } finally {
      Locale.setDefault(before);
    }

    assertThat(out.toString() + err).isEqualTo(expected).containsPattern("[0-9]");
  }

  @Test
  void shouldPlanWhatIsTooLargeToBe() {
    assertThat(
            plan(
                "--batch-size 2147483647 --step-time 1ns --gpus 2147483647 --experiments 2147483647"
                    + " --example-size 1048576T --examples 9223372036854775807 --storage disk"
                    + " --latency 1000h --storage-bandwidth 1 --cpu-per-example 1000h --json"))
        .as(err.toString())
        .isZero();
    assertThat(object(json(RESNET + " --gpus 2000000000 --storage nfs --json"), "check"))
        .containsEntry("verdict", "too-slow");
  }

  @Test
  void shouldDocumentTheFiguresOfEachStorage() throws IOException {
    String page = Files.readString(Path.of("PLAN.md"));
    assertThat(Storage.TYPICAL)
        .hasSize(5)
        .allSatisfy(
            storage ->
                assertThat(page)
                    .contains(
                        String.format(
                            Locale.ROOT,
                            "| `%s` | %s | %.0f | %s | %s |",
                            storage.name(),
                            TimeSpan.words(storage.latencySeconds()),
                            storage.readsPerSecond(),
                            ByteRate.words(storage.bytesPerSecond()),
                            storage.source())));
  }

  @Test
  void shouldDocumentEveryNameInJson() throws IOException {
    String page = Files.readString(Path.of("PLAN.md"));

    Set<String> names = new TreeSet<>();
    collectNames(
        json(RESNET + " --json --storage nfs --examples 10000 --cpu-per-example 2ms"), names);

    assertThat(names)
        .hasSizeGreaterThan(35)
        .allSatisfy(name -> assertThat(page).contains('`' + name + '`'));
  }

  private static void collectNames(Map<?, ?> json, Set<String> names) {
    json.forEach(
        (name, value) -> {
          names.add((String) name);
          if (value instanceof Map<?, ?> object) {
            collectNames(object, names);
          } else if (value instanceof List<?> list && list.get(0) instanceof Map<?, ?> first) {
            collectNames(first, names);
          }
        });
  }

  private Map<String, Object> json(String options) {
    out.getBuffer().setLength(0);
    assertThat(plan(options)).as(err.toString()).isZero();
    return Json.read(out.toString());
  }

  private int plan(String options) {
    return feedline(("plan " + options).strip().split(" "));
  }

  private int feedline(String... words) {
    return Feedline.run(new PrintWriter(out, true), new PrintWriter(err, true), words);
  }

  @SuppressWarnings("unchecked") // a JSON object has strings as names
  private static Map<String, Object> object(Map<String, Object> json, String name) {
    return (Map<String, Object>) json.get(name);
  }

  private static double number(Map<String, Object> json, String name) {
    return ((BigDecimal) json.get(name)).doubleValue();
  }
}

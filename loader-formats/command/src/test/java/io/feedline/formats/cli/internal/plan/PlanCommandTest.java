package io.feedline.formats.cli.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.cli.CommandFixture;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.TimeSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest extends CommandFixture {
  private static final String RESNET = "--batch-size 128 --step-time 87ms --example-size 64KB";

  @Test
  void shouldGiveEverythingThatIsKnownAsJson() {
    Map<String, Object> json =
        json(
            "plan",
            RESNET
                + " --gpus 4 --storage object-store --cpu-per-example 2ms"
                + " --workers 8 --tensor-size 588KB");

    assertThat(json.get("workload"))
        .hasToString(
            "{batch_size=128, step_seconds=0.087, gpus=4, example_bytes=65536,"
                + " tensor_bytes=602112, cpu_seconds=0.002, workers=8}");
    assertThat(number(json, "examples_per_second")).isEqualTo(128 / 0.087 * 4);
    assertThat(number(json, "bytes_per_second")).isEqualTo(128 / 0.087 * 4 * 65536);
    assertThat(number(json, "busy") * number(json, "examples_per_second"))
        .isCloseTo(4 * 8 / 0.032, within(1e-9));
    Map<String, Object> workers = object(json, "workers");
    assertThat(workers).containsEntry("needed", 48L);
    assertThat(number(workers, "processors")).isBetween(11.77, 11.78);
    assertThat(json).containsEntry("prefetch", 2L);
    assertThat(number(json, "prefetch_bytes")).isEqualTo(4.0 * 128 * 588 * 1024);
    Map<String, Object> demand = object(json, "storage");
    assertThat(demand).containsEntry("verdict", "too-slow");
    assertThat(object(demand, "storage")).containsEntry("name", "object-store");
    assertThat(object(demand, "nearest")).containsEntry("kind", "reads-in-flight");
    assertThat(number(object(demand, "nearest"), "load")).isBetween(5.51, 5.52);
    assertThat((List<?>) demand.get("limits")).hasSize(3);
    assertThat(object(json, "packed")).containsEntry("verdict", "suffices");
  }

  @Test
  void shouldSayWhatIsNeeded() {
    assertThat(ok("plan", RESNET + " --gpus 4 --tensor-size 588KB"))
        .startsWith("Add --storage, one of nvme, sata-ssd, disk, nfs, object-store")
        .containsPattern("each GPU +all 4\n")
        .containsPattern("examples/s +1471 +5885\n")
        .containsPattern("reads/s +1471 +5885\n")
        .containsPattern("bandwidth +92.0 MiB/s +368 MiB/s\n")
        .containsPattern("prefetch memory +294 MiB +1.1 GiB\n");
    assertThat(ok("plan", RESNET)).containsPattern("examples/s +1471\n").doesNotContain("all 1");
  }

  /** The verdict and the advice, each in the first lines. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--storage nvme | nvme suffices: 3% of its bandwidth is used, its nearest limit. |"
            + " Each GPU's loader needs 1 worker: numWorkers(1) or more",
        "--gpus 10 --storage nfs | nfs is tight: 88% of its bandwidth is used, and above 70% |"
            + " feedline convert --resize",
        "--gpus 4 --storage object-store | object-store is too slow by a factor of 1.07: its limit"
            + " is reads/s, 5885 needed and 5500 given. | or pack them",
        "--gpus 4 --storage object-store | object-store is too slow | GPUs compute at most 93% of"
            + " the time, at 5500 of 5885 examples/s.",
        "--gpus 4 --storage object-store | object-store is too slow | 5885 reads/s become 46.0 of 8.0 MiB; then object-store suffices:"
            + " 35% of its bandwidth is used",
        "--gpus 4 --storage object-store | object-store is too slow | feedline convert SRC DST --to"
            + " webdataset",
        "--storage object-store --workers 8 | object-store is too slow by a factor of 5.52: its limit"
            + " is reads in flight, 44.1 needed and 8 given. | needs 45 workers, and has 8:"
            + " numWorkers(45)",
        "--gpus 8 --storage 1ms,20000,100MB/s | the storage is too slow by a factor of 7.36:"
            + " its limit is bandwidth, 736 MiB/s needed and 100 MiB/s given. | packing does not",
        "--cpu-per-example 5ms --workers 4 | Add --storage | GPUs compute at most 54% of the time,"
            + " at 800 of 1471 examples/s.",
        "--storage 10s,5500,1GB/s | the storage is too slow | would need 14713 workers,"
            + " but can have at most 4096 (1471 examples/s x 10 s)",
      })
  void shouldSayTheVerdictFirstAndThenWhatToDo(String options, String verdict, String advice) {
    assertThat(ok("plan", RESNET + ' ' + options)).startsWith(verdict).contains(advice);
  }

  @Test
  void shouldSetEachLimitOfAStorageBesideWhatIsNeeded() {
    assertThat(ok("plan", RESNET + " --gpus 4 --storage object-store --cpu-per-example 5ms"))
        .containsPattern("each GPU +all 4 +object-store +used\n")
        .containsPattern("reads in flight +44.1 +177 +16384 +1%\n")
        .containsPattern("reads/s +1471 +5885 +5500 +107%\n")
        .containsPattern("bandwidth +92.0 MiB/s +368 MiB/s +1.0 GiB/s +35%\n")
        .containsPattern("processors +7.36 +29.4\n")
        .contains("(a read takes 30 ms;");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--batch-size 20 --step-time 1s --example-size 8M --storage 1s,80,150MB/s",
        RESNET + " --gpus 8 --storage 1ms,20000,100MB/s",
        RESNET + " --storage nvme"
      })
  void shouldNotOfferToPackWhereThatChangesNothing(String options) {
    assertThat(ok("plan", options)).doesNotContain("feedline convert SRC");
  }

  @Test
  void shouldTakeAKindOfStorageOrItsFigures() {
    assertThat(storage(" --storage SATA-SSD")).containsEntry("name", "sata-ssd");
    assertThat(storage(" --storage 2ms,777,5M"))
        .hasToString(
            "{name=the storage, latency_seconds=0.002, reads_per_second=777.0,"
                + " bytes_per_second=5242880.0, source=as given}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\" | Missing required option: '--example-size=BYTES'",
        "--example-size 64KB | --batch-size with --step-time",
        "--batch-size 128 --example-size 64KB | --batch-size with --step-time",
        "--batch-size 128 --step-time 87 --example-size 64KB | '--step-time': '87' is not a time",
        "--batch-size 0 --step-time 87ms --example-size 64KB | --batch-size must be 1 or more, was"
            + " 0",
        "--batch-size x --step-time 87ms --example-size 64KB | '--batch-size': 'x' is not an int",
        "--batch-size 128 --step-time 87ms --example-size 64X | '--example-size': '64X' is not a"
            + " size: expected",
        "RESNET --gpus 0 | --gpus must be 1 or more, was 0",
        "RESNET --workers 4097 | --workers must be from 1 to 4096, was 4097",
        "RESNET --storage floppy | '--storage': 'floppy' is none of nvme, sata-ssd, disk, nfs,"
            + " object-store, nor LATENCY,READS/s,BYTES/s",
        "RESNET --storage 1ms,1e13,1G | reads a second must be above 0, and 1e12 at most, was 1e13",
        "RESNET --storage 1ms,0,1G | reads a second must be above 0",
        "RESNET --storage 1,100,1G | '1' is not a time",
        "RESNET --storage 1ms,100,1X/s | '1X' is not a size",
        "RESNET more | Unmatched argument",
      })
  void shouldSayWhatIsWrongWithAnOption(String options, String words) {
    assertThat(fails(ExitCode.USAGE, "plan", options.replace("RESNET", RESNET)))
        .contains(words)
        .contains("See feedline plan --help")
        .doesNotContain("Usage:");
    assertThat(out()).isEmpty();
  }

  @Test
  void shouldPrintTheSameInEveryLocale() {
    String command = "plan " + RESNET + " --gpus 4 --storage object-store --cpu-per-example 2ms ";
    Locale before = Locale.getDefault();
    for (String option : List.of("", "--json", "--workers 8", "--workers 5000")) {
      feedline(command + option);
      String expected = out() + err();
      try {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        feedline(command + option);
      } finally {
        Locale.setDefault(before);
      }
      assertThat(out() + err()).isEqualTo(expected).containsPattern("[0-9]");
    }
  }

  @Test
  void shouldPlanWhatIsTooLargeToBe() {
    ok(
        "plan",
        "--batch-size 2147483647 --step-time 1ns --gpus 2147483647"
            + " --example-size 1048576T --storage 1000h,80,1 --cpu-per-example 1000h");
    assertThat(object(json("plan", RESNET + " --gpus 2000000000 --storage nfs"), "storage"))
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
                            ByteSize.words(Math.round(storage.bytesPerSecond())) + "/s",
                            storage.source())));
  }

  @Test
  void shouldHaveAllNamesInJsonWhateverIsKnownAndDocumentThem() throws IOException {

    Map<String, Object> little = json("plan", RESNET);
    assertThat(little).containsEntry("workers", null).containsEntry("storage", null);
    Map<String, Object> all = json("plan", RESNET, "--storage nfs --cpu-per-example 2ms");
    assertThat(all.keySet()).isEqualTo(little.keySet());
    requireDocumented(all, "PLAN.md");
  }

  private Map<String, Object> storage(String options) {
    return object(object(json("plan", RESNET + options), "storage"), "storage");
  }
}

package io.feedline.formats.cli.internal.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.cli.Feedline;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.internal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceCommandTest {

  @TempDir Path temp;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Name("training.TracedStep")
  @Label("Step")
  private static final class Step extends Event {}

  /** A span or an instant of the trace. */
  private record Shown(String row, String name, BigDecimal from, BigDecimal until, Map<?, ?> args) {
    boolean within(Shown outer) {
      return row.equals(outer.row)
          && from.compareTo(outer.from) >= 0
          && until.compareTo(outer.until) <= 0;
    }

    long number(String arg) {
      return (Long) args.get(arg);
    }
  }

  private Path record(int workers, boolean work) throws IOException {
    Path file = temp.resolve("run.jfr");
    Dataset<Long> dataset = Dataset.of(50, index -> index).map("resize", index -> index);
    try (Recording recording = new Recording();
        DataLoader<Long> loader =
            DataLoader.builder(dataset)
                .name("traced \"loader\"")
                .batchSize(4)
                .numWorkers(workers)
                .prefetchNextEpoch(false)
                .batchTransform((batch, context) -> {})
                .build()) {
      if (work) {
        recording.enable("io.feedline.Work");
      }
      recording.start();
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          Step step = new Step();
          step.begin();
          batch.close();
          step.commit();
        }
      }
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  private int trace(Object... args) {
    List<String> all = new ArrayList<>(List.of("trace"));
    for (Object arg : args) {
      all.add(arg.toString());
    }
    return Feedline.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(String[]::new));
  }

  private List<Shown> shown(Path recording, String... args) throws IOException {
    Path file = temp.resolve("trace.json");
    List<Object> all = new ArrayList<>(List.of(recording, "-o", file));
    all.addAll(List.of(args));
    assertThat(trace(all.toArray())).as(err::toString).isZero();
    assertThat(out.toString()).startsWith("Wrote %s: ".formatted(file)).contains(" of 1 loader");
    List<Shown> shown = new ArrayList<>();
    Map<String, String> rows = new HashMap<>();
    for (Object element : (List<?>) Json.readValue(Files.readString(file))) {
      Map<?, ?> event = (Map<?, ?>) element;
      String id = event.get("pid") + "/" + event.get("tid");
      Map<?, ?> values = event.containsKey("args") ? (Map<?, ?>) event.get("args") : Map.of();
      if (event.get("ph").equals("M")) {
        if (event.get("name").equals("thread_name")) {
          assertThat(rows.put(id, (String) values.get("name"))).isNull();
        }
        continue;
      }
      BigDecimal from = new BigDecimal(event.get("ts").toString());
      BigDecimal took = new BigDecimal(event.containsKey("dur") ? event.get("dur") + "" : "0");
      assertThat(took).isNotNegative();
      shown.add(new Shown(rows.get(id), (String) event.get("name"), from, from.add(took), values));
    }
    assertThat(shown).allMatch(each -> each.row() != null);
    return shown;
  }

  /** Jimfs refuses a write with what a system says too: that there is no space, and no name. */
  @Test
  void shouldLeaveTheOldTraceWhereTheDiskIsFull() throws IOException {
    Path recording = record(0, true);
    Configuration small =
        Configuration.unix().toBuilder().setBlockSize(512).setMaxSize(2048).build();
    try (FileSystem full = Jimfs.newFileSystem(small)) {
      Path file = full.getPath("/trace.json");
      Files.writeString(file, "the old one");
      assertThat(trace(recording, "-o", file.toUri())).isEqualTo(ExitCode.FAILED);
      assertThat(err.toString()).contains(file + " cannot be written", "out of disk space");
      assertThat(file).hasContent("the old one");
      try (Stream<Path> files = Files.list(full.getPath("/"))) {
        assertThat(files.filter(Files::isRegularFile)).containsExactly(file);
      }
    }
  }

  private static List<Shown> named(List<Shown> shown, String pattern) {
    return shown.stream().filter(each -> each.name().matches(pattern)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldShowEachSampleWithItsStagesAndEachBatch(int workers) throws IOException {
    List<Shown> shown = shown(record(workers, true));

    List<Long> batches = LongStream.range(0, 13).boxed().toList();
    for (long epoch = 0; epoch < 2; epoch++) {
      Long wanted = epoch;
      List<Shown> ofEpoch =
          shown.stream().filter(each -> wanted.equals(each.args().get("epoch"))).toList();
      List<Shown> samples = named(ofEpoch, "sample .*");
      assertThat(samples)
          .extracting(Shown::name)
          .containsExactlyInAnyOrderElementsOf(
              LongStream.range(0, 50).mapToObj(index -> "sample " + index).toList());
      assertThat(samples)
          .allMatch(
              sample -> sample.number("batch") == Long.parseLong(sample.name().substring(7)) / 4)
          .allMatch(sample -> sample.row().matches(workers == 0 ? "consumer" : "worker [01]"))
          .allMatch(
              sample -> shown.stream().anyMatch(each -> isStage(each) && each.within(sample)));
      for (String name : List.of("waits", "collating")) {
        assertThat(named(ofEpoch, name))
            .extracting(each -> each.number("batch"))
            .containsExactlyInAnyOrderElementsOf(batches);
      }
      assertThat(named(ofEpoch, "waits").stream().mapToLong(each -> each.number("samples")).sum())
          .isEqualTo(50);
      assertThat(named(ofEpoch, "computes"))
          .extracting(each -> each.number("batch"))
          .containsExactlyElementsOf(batches.subList(0, 12));
      assertThat(named(shown, "epoch " + epoch)).hasSize(1);
    }
    assertThat(named(shown, "between epochs")).hasSize(1);
    assertThat(Files.readString(temp.resolve("trace.json")))
        .contains("feedline traced \\\"loader\\\"");
  }

  private static boolean isStage(Shown each) {
    return List.of("reading", "resize", "writing").contains(each.name());
  }

  @Test
  void shouldShowWhatTheProgramRecords() throws IOException {
    List<Shown> steps = named(shown(record(1, false), "--event", "training.TracedStep"), "Step");

    assertThat(steps).hasSize(26).allMatch(step -> step.row().startsWith("Step "));
    assertThat(out.toString()).contains("; of the workers only slow samples: record with");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void shouldSayWhichEventsThereAreNone() throws IOException {
    shown(record(1, true), "--event", "training.TracedStep", "--event", "training.NoSuch");

    assertThat(err.toString().lines())
        .singleElement(STRING)
        .endsWith("has no event training.NoSuch");
    assertThat(out.toString()).doesNotContain("slow samples");
  }

  @Test
  void shouldNotReplaceTheRecording() throws IOException {
    Path recording = record(0, false);
    byte[] before = Files.readAllBytes(recording);

    assertThat(trace(recording, "-o", recording)).isEqualTo(ExitCode.USAGE);

    assertThat(err.toString()).contains(recording + " would replace the input");
    assertThat(recording).hasBinaryContent(before);
  }

  @Test
  void shouldSayWhatIsNoRecordingAndWhatHasNoLoader() throws IOException {
    Path text = Files.writeString(temp.resolve("text"), "no recording");
    assertThat(trace(text, "-o", temp.resolve("t.json"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(text + " cannot be read: ");

    Path empty = temp.resolve("empty.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      recording.stop();
      recording.dump(empty);
    }
    assertThat(trace(empty, "-o", temp.resolve("t.json"))).isEqualTo(ExitCode.FAILED);
    assertThat(err.toString()).contains(empty + " has no events of Feedline's");
  }
}

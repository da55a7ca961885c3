package io.feedline.bench;

import io.feedline.bench.CopyFigures.Round;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the cost of copying a batch to the GPU, and compares it with the limit of the machine.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.HostToDevice
 * </pre>
 *
 * <p>It uses only the driver, so it needs a GPU but no PyTorch. Each {@link CopyKind} is a row.
 * Every round runs all of them, one after the other, so other load on the bus affects all alike.
 * One line of JSON for each row goes to standard output, the same as a table to standard error.
 * {@code peers/train_step.py --copies} measures PyTorch's own copies in the same terms.
 *
 * <p>Exit code 0; 2 for options that make no sense, or if there is no driver or no such GPU; 1 if a
 * copy fails or arrives changed.
 */
@Command(
    name = "HostToDevice",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Measures the ways from host memory to a GPU against what the machine can do.",
    footer = {
      "",
      "The rows:",
      "  pageable    ordinary memory; each batch is copied and waited for, as DJL's own copy does",
      "  pinned      page-locked memory; each batch is copied and waited for",
      "  overlapped  page-locked memory; the next batch is on its way while the former is copied on",
      "              the device in another stream, as Feedline's ring of device slots does it",
      "  ceiling     large page-locked pieces, one right after the other, by the GPU's clock",
      "",
      "The figures of a line:",
      "  kind, bytes            the row, and the bytes of a batch",
      "  gb_per_second          10^9 bytes a second, median over the rounds; _min, _max: extremes",
      "  ratio                  that divided by the ceiling's of the same round, median; _min, _max",
      "  batch_ms               what a batch takes at the median rate",
      "  held_up_us             how long a batch holds up the thread that copies it: the median over",
      "                         the rounds of a round's median; where it waits for the copy, all of it"
    })
public final class HostToDevice extends BenchCommand {

  @Option(
      names = "--bytes",
      paramLabel = "N",
      split = ",",
      defaultValue = "19267584,77070336",
      description = {
        "Of a batch, one or several sizes, 16 or more each. Default: ${DEFAULT-VALUE}, which is",
        "128 images of 224 x 224 x 3, as bytes and as floats."
      })
  private int[] bytes;

  @Option(
      names = "--batches",
      paramLabel = "N",
      defaultValue = "50",
      description = "In each turn. Default: ${DEFAULT-VALUE}.")
  private int batches;

  @Option(
      names = "--host-slots",
      paramLabel = "N",
      defaultValue = "4",
      description = {
        "Pieces of host memory that batches come from in turn, so that they do not all come out",
        "of the processor's cache. Default: ${DEFAULT-VALUE}."
      })
  private int hostSlots;

  @Option(
      names = "--ceiling-bytes",
      paramLabel = "N",
      defaultValue = "268435456",
      description = "Of a piece of the ceiling, 16 or more. Default: ${DEFAULT-VALUE}.")
  private int ceilingBytes;

  @Option(
      names = "--gpu",
      paramLabel = "N",
      defaultValue = "0",
      description = "Which GPU, from 0. Default: ${DEFAULT-VALUE}.")
  private int gpu;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "11",
      description = "Turns of each that count. Default: ${DEFAULT-VALUE}.")
  private int rounds;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "3",
      description = {
        "Turns of each before that; an idle GPU's link is slow at first. Default:",
        "${DEFAULT-VALUE}."
      })
  private int warmUp;

  /** A row of the table: a kind of copy, and the size of a batch in bytes. */
  private record Row(CopyKind kind, int bytes) {}

  public static void main(String... args) {
    System.exit(new HostToDevice().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    checkOptions();
    Cuda cuda = driver();
    int largest = Arrays.stream(bytes).max().orElseThrow();
    try (DeviceCopies copies = new DeviceCopies(cuda, gpu, largest, ceilingBytes, hostSlots)) {
      report(cuda, measure(copies, largest));
    }
    return CommandLine.ExitCode.OK;
  }

  private void checkOptions() {
    for (int size : bytes) {
      requireAtLeast(2 * Long.BYTES, "--bytes", size);
    }
    requireAtLeast(1, "--batches", batches);
    requireAtLeast(1, "--host-slots", hostSlots);
    requireAtLeast(2 * Long.BYTES, "--ceiling-bytes", ceilingBytes);
    requireAtLeast(0, "--gpu", gpu);
    requireAtLeast(1, "--rounds", rounds);
    requireAtLeast(0, "--warm-up", warmUp);
  }

  private Cuda driver() {
    try {
      Cuda cuda = Cuda.load();
      int count = cuda.deviceCount();
      if (gpu >= count) {
        throw wrong("--gpu must be below %d, the number of GPUs, was %d".formatted(count, gpu));
      }
      return cuda;
    } catch (CudaException e) {
      throw wrong("cannot measure without a GPU: " + e.getMessage(), e);
    }
  }

  /** Measures all rows in every round: the ceiling first or last, the other rows in rotation. */
  private List<CopyFigures> measure(DeviceCopies copies, int largest) {
    List<Row> rows = new ArrayList<>();
    for (CopyKind kind : CopyKind.values()) {
      if (kind != CopyKind.CEILING) {
        Arrays.stream(bytes).forEach(size -> rows.add(new Row(kind, size)));
      }
    }
    Row ceiling = new Row(CopyKind.CEILING, ceilingBytes);
    // The ceiling copies as many bytes as the largest row.
    int pieces = (int) Math.max(1, (long) batches * largest / ceilingBytes);
    Map<Row, List<Round>> counted = new LinkedHashMap<>();
    rows.forEach(row -> counted.put(row, new ArrayList<>()));
    counted.put(ceiling, new ArrayList<>());
    for (int number = -warmUp; number < rounds; number++) {
      boolean ceilingFirst = number % 2 == 0;
      CopyFigures.Turn best =
          ceilingFirst ? copies.run(CopyKind.CEILING, ceilingBytes, pieces) : null;
      Map<Row, CopyFigures.Turn> turns = new LinkedHashMap<>();
      for (int i = 0; i < rows.size(); i++) {
        Row row = rows.get(Math.floorMod(i + number, rows.size()));
        turns.put(row, copies.run(row.kind(), row.bytes(), batches));
      }
      CopyFigures.Turn atBest =
          ceilingFirst ? best : copies.run(CopyKind.CEILING, ceilingBytes, pieces);
      turns.put(ceiling, atBest);
      if (number >= 0) {
        turns.forEach((row, turn) -> counted.get(row).add(new Round(turn, atBest)));
      }
    }
    return counted.entrySet().stream()
        .map(each -> new CopyFigures(each.getKey().kind(), each.getKey().bytes(), each.getValue()))
        .toList();
  }

  private void report(Cuda cuda, List<CopyFigures> all) throws IOException {
    PrintWriter log = log();
    Machine machine = Machine.here();
    log.printf(
        "machine: %s%nGPU: %s at %s, driver for CUDA %s%n",
        machine, cuda.deviceName(gpu), cuda.pciBusId(gpu), version(cuda.driverVersion()));
    log.printf(
        "%d rounds of %d batches: median (smallest - greatest)%n%n%s%n",
        rounds, batches, CopyFigures.HEADER);
    all.forEach(figures -> log.println(figures.toRow()));
    log.flush();
    for (CopyFigures figures : all) {
      JsonLine line =
          new JsonLine()
              .put("gpu", cuda.deviceName(gpu))
              .put("cuda", version(cuda.driverVersion()))
              .put("jdk", machine.jdk())
              .put("processor", machine.processor())
              .put("processors", machine.processors())
              .put("batches", batches);
      print(figures.addTo(line));
    }
  }

  /** Returns the version of a driver's number, such as {@code 12.8} for 12080. */
  static String version(int driver) {
    return driver / 1000 + "." + driver % 1000 / 10;
  }
}

package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Cost;
import io.feedline.formats.cli.internal.doctor.ReadFigures.Flight;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import io.feedline.formats.cli.internal.plan.MachineFigures.Speedup;
import io.feedline.formats.cli.internal.plan.Workload;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** Figures of machines and data that do not exist, to compute with. */
public final class DoctorFixture {

  static final double BYTES = 64 * 1024;

  private DoctorFixture() {}

  /** Processors that are worth one each. */
  public static MachineFigures machine(int processors) {
    return new MachineFigures(
        processors,
        IntStream.rangeClosed(1, processors).mapToObj(i -> new Speedup(i, i)).toList(),
        true,
        10e9,
        OptionalDouble.of(0));
  }

  /** A storage that waits as long for each read, first or not, however many are in flight. */
  static ReadFigures reads(double waitSeconds) {
    Cost cost = new Cost(waitSeconds, 0);
    return new ReadFigures(100, BYTES, cost, cost, flights(waitSeconds, 1, 2, 4, 8, 16, 32, 64));
  }

  /** A storage that gives so many reads a second to 4 threads, and twice that to no one. */
  static ReadFigures saturated(double waitSeconds, double most) {
    Cost cost = new Cost(waitSeconds, 0);
    return new ReadFigures(
        100,
        BYTES,
        cost,
        cost,
        List.of(new Flight(1, 1 / waitSeconds, 0, waitSeconds), new Flight(4, most, 0, 4 / most)));
  }

  static List<Flight> flights(double waitSeconds, int... threads) {
    return IntStream.of(threads)
        .mapToObj(i -> new Flight(i, i / Math.max(waitSeconds, 1e-5), 0, waitSeconds))
        .toList();
  }

  /** Images that take so long, without a scan index and with it, and half as much when smaller. */
  static DecodeFigures decoding(double firstSeconds, double laterSeconds) {
    return decoding(firstSeconds, laterSeconds, false);
  }

  static DecodeFigures decoding(double firstSeconds, double laterSeconds, boolean ownPipeline) {
    return new DecodeFigures(
        224,
        List.of(new DecodeFigures.Kind("JPEG, baseline", 100, BYTES, firstSeconds, laterSeconds)),
        firstSeconds,
        laterSeconds,
        laterSeconds * 0.9,
        new DecodeFigures.Smaller(256, 1, BYTES / 4, laterSeconds / 2),
        0,
        0,
        ownPipeline,
        false);
  }

  /** A user's own pipeline, which takes and waits so much beside decoding. */
  static DecodeFigures transforming(double decode, double cpuSeconds, double waitSeconds) {
    DecodeFigures plain = decoding(decode + cpuSeconds, decode + cpuSeconds, true);
    return new DecodeFigures(
        plain.imageSize(),
        plain.kinds(),
        plain.firstSeconds(),
        plain.laterSeconds(),
        plain.byteRowsSeconds(),
        plain.smaller(),
        cpuSeconds,
        waitSeconds,
        true,
        false);
  }

  static Figures figures(int processors, ReadFigures reads, DecodeFigures decoding) {
    return new Figures(reads, decoding, machine(processors), false);
  }

  /** A GPU that takes so many images a second, in batches of 100. */
  static Workload need(double imagesPerSecond, int workers) {
    return Workload.builder((long) BYTES)
        .steps(100, Duration.ofNanos(Math.round(100e9 / imagesPerSecond)))
        .rowBytes(600_000)
        .workers(workers)
        .build();
  }
}

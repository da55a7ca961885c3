package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.ByteRate;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Bottleneck;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Change;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Examination.Run;
import io.feedline.formats.cli.internal.doctor.Trials.Attempt;
import io.feedline.formats.cli.internal.plan.LoaderModel;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import io.feedline.formats.cli.internal.plan.Plan;
import io.feedline.formats.cli.internal.plan.Workload;
import io.feedline.internal.Counts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/** An examination for people: what was measured, the runs, the bottleneck, what to change. */
final class DoctorText {

  /**
   * The bytes of a file of the cache beside its image: the rest of its last block, and its name.
   */
  private static final int CACHE_ENTRY_BYTES = 8 << 10;

  /** The changes that are made with {@code feedline convert}. */
  private static final Set<Diagnosis.Kind> CONVERTS =
      EnumSet.of(Diagnosis.Kind.PACKING, Diagnosis.Kind.SMALLER_IMAGES);

  private final Examination found;
  private final Diagnosis diagnosis;
  private final List<String> lines = new ArrayList<>();

  private DoctorText(Examination found) {
    this.found = found;
    this.diagnosis = found.diagnosis();
  }

  static List<String> of(Examination found) {
    DoctorText text = new DoctorText(found);
    text.answer();
    text.changes();
    text.tried();
    text.runs();
    text.numbers();
    return text.lines;
  }

  private void line(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  private void numbers() {
    lines.add("");
    line(
        "%s: %s, %s of %s on average; pipeline %s",
        found.path(),
        found.format(),
        Counts.of(found.images(), "image"),
        ByteSize.words(Math.round(found.figures().reads().bytes())),
        found.pipeline());
    reads();
    decoding();
    machine();
  }

  private void reads() {
    ReadFigures reads = found.figures().reads();
    line(
        "A read takes %s the first time and %s the second time; a processor works for %s and %s of that, and the rest is waiting.",
        time(reads.first().latencySeconds()),
        time(reads.again().latencySeconds()),
        time(reads.first().cpuSeconds()),
        time(reads.again().cpuSeconds()));
    lines.add(
        switch (reads.caching()) {
          case CACHED ->
              "First reads are as fast as second ones: the data was in memory already, so the speed"
                  + " of the storage is not known. It matters if the data does not fit into memory.";
          case SECOND_READS -> "First reads come from the storage, second ones from memory.";
          case NOT_CACHED ->
              isFar()
                  ? "Second reads wait as well: each is a request to a server."
                  : "Second reads wait as well: the system keeps nothing in memory.";
        });
    if (isFar()) {
      line(
          "A loader reads this data ahead of its workers, %s reads at once.",
          Diagnosis.READS_AHEAD);
    }
    lines.add(
        "Reads a second: "
            + reads.flights().stream()
                .map(
                    flight ->
                        "%s by %s".formatted(count(flight.readsPerSecond()), flight.threads()))
                .collect(Collectors.joining(", "))
            + " threads"
            + limit(reads));
  }

  /** Tests whether the data are on another machine. */
  private boolean isFar() {
    return found.figures().readsAhead();
  }

  private String limit(ReadFigures reads) {
    OptionalDouble most = reads.mostReadsPerSecond();
    return most.isPresent()
        ? "; more threads read no more: the limit of the storage is "
            + ByteRate.words(most.getAsDouble() * reads.bytes())
            + "."
        : "; the limit of the storage was not reached.";
  }

  private void decoding() {
    DecodeFigures decoding = found.figures().decoding();
    line(
        "To decode an image, transform it%s and write it takes %s of processor time%s:",
        decoding.ownPipeline() ? "" : " to %1$s x %1$s".formatted(decoding.imageSize()),
        time(decoding.laterSeconds()),
        decoding.indexKept()
            ? ""
            : " (%s in the first epoch, without its scan index)"
                .formatted(time(decoding.firstSeconds())));
    for (DecodeFigures.Kind kind : decoding.kinds()) {
      line(
          "  %-22s %4d images of %9s  %s",
          kind.name(),
          kind.images(),
          ByteSize.words(Math.round(kind.bytes())),
          time(kind.laterSeconds()));
    }
  }

  private void machine() {
    MachineFigures machine = found.figures().machine();
    line(
        "%s; %s; memory is copied at %s%s.",
        Counts.of(machine.processors(), "processor"),
        machine.speedups().stream()
            .map(each -> factor(each.processors()) + " by " + each.threads())
            .collect(
                Collectors.joining(", ", "threads decode as much as undivided processors: ", "")),
        ByteRate.words(machine.copyBytesPerSecond()),
        busyWithOthers(machine.othersProcessors()));
  }

  private static String busyWithOthers(OptionalDouble processors) {
    return processors.isPresent()
        ? "; other processes kept %s processors busy".formatted(factor(processors.getAsDouble()))
        : "";
  }

  private void runs() {
    lines.add("");
    line(
        "Images/s, of which %s are needed (batches of %s in %s):",
        count(diagnosis.need()),
        diagnosis.workload().batchSize().orElseThrow(),
        TimeSpan.words(diagnosis.workload().stepSeconds().orElseThrow()));
    lines.add(row("workers", "epoch", "predicted", "measured", "error"));
    for (Run run : found.runs()) {
      lines.add(
          row(
                  String.valueOf(run.workers()),
                  Output.name(run.epoch()),
                  count(run.predicted()),
                  run.trial().map(trial -> rate(run)).orElse(""),
                  run.errorPercent().map(DoctorText::signed).orElse(""))
              + note(run));
    }
  }

  private String note(Run run) {
    if (run.trial().isEmpty()) {
      return "";
    }
    String which =
        run.workers() == diagnosis.workers()
            ? run.workers() == diagnosis.recommended() ? "given, recommended" : "given"
            : "recommended";
    return "  " + which + busyWithOthers(run.trial().get().othersProcessors());
  }

  /** The answer, then why, and what makes it doubtful. */
  private void answer() {
    lines.add(
        found.enough()
            ? "Loading is fast enough: %s images/s come, and %s are needed."
                .formatted(rate(found.asked()), count(diagnosis.need()))
            : "The GPU waits for data: %s images/s come, and %s are needed. It computes at most %s of the time."
                .formatted(
                    rate(found.asked()), count(diagnosis.need()), Output.percent(found.busy())));
    bottleneck();
    found.contended().ifPresent(this::contention);
    if (found.figures().reads().caching() == ReadFigures.Caching.SECOND_READS) {
      line(
          "First reads come from the storage: by its figures %s images/s in the first epoch, and %s later, if all data fits into memory.",
          count(found.predicted(Epoch.FIRST)), count(found.predicted(Epoch.LATER)));
    }
    if (found.busyMachine()) {
      line(
          "Other processes kept %s of %s processors busy: all rates are ranges, and gains may differ; measure again when the machine is idle.",
          factor(
              Math.max(
                  found.figures().machine().othersProcessors().orElse(0),
                  found.asked().trial().orElseThrow().othersProcessors().orElse(0))),
          found.figures().machine().processors());
    }
  }

  private void contention(Run run) {
    line(
        "Of %s %s waited for a lock that another one held, and more would wait too: let the pipeline %s do its work outside of locks. Stacks of the threads show where: jcmd PID Thread.print.",
        Counts.of(run.workers(), "worker"),
        Output.percent(run.trial().orElseThrow().contention()),
        found.pipeline());
  }

  /** The rate of a run as it was measured; a range on a busy machine. */
  private String rate(Run run) {
    return run.trial()
        .map(
            trial ->
                found.busyMachine()
                    ? range(trial.least(), trial.most())
                    : count(trial.imagesPerSecond()))
        .orElseGet(() -> count(run.predicted()));
  }

  private static String range(double least, double most) {
    return count(least).equals(count(most)) ? count(least) : count(least) + "-" + count(most);
  }

  private void bottleneck() {
    Bottleneck bottleneck = diagnosis.bottleneck();
    boolean one = diagnosis.workers() <= 1;
    String workers =
        diagnosis.workers() == 0
            ? "the training's own thread"
            : Counts.of(diagnosis.workers(), "worker");
    LoaderModel model = diagnosis.model();
    DecodeFigures decoding = found.figures().decoding();
    lines.add(
        switch (bottleneck) {
          case NONE ->
              found.enough()
                  ? "Bottleneck: none, the step is slower. With %s %s of the loader's images/s are used."
                      .formatted(workers, Output.percent(diagnosis.need() / found.asked().rate()))
                  : "Bottleneck: none that was measured. By its figures %s would load %s images/s."
                      .formatted(workers, count(diagnosis.predicted()));
          case CPU ->
              "Bottleneck: cpu. %s can decode %s images/s; the training would need %s processors."
                  .formatted(
                      Counts.of(model.machine().processors(), "processor"),
                      count(model.cpuLimit()),
                      factor(diagnosis.processorsNeeded()));
          case READ_LATENCY ->
              "Bottleneck: read-latency. For each image %s waits %s for the read and computes for %s."
                  .formatted(
                      diagnosis.workers() == 0 ? workers : "a worker",
                      time(model.waitSeconds()),
                      time(model.cpuSeconds()));
          case READ_BANDWIDTH ->
              "Bottleneck: read-bandwidth. The storage gives no more than %s reads/s, %s, however many reads wait."
                  .formatted(
                      count(model.mostReadsPerSecond()),
                      ByteRate.words(model.mostReadsPerSecond() * found.figures().reads().bytes()));
          case TRANSFORM ->
              "Bottleneck: transform. Of each image's %s, %s takes %s beside decoding."
                  .formatted(
                      time(model.waitSeconds() + model.cpuSeconds()),
                      found.pipeline(),
                      time(decoding.transformSeconds() + decoding.waitSeconds()));
          case WORKERS ->
              diagnosis.workers() == 0
                  ? "Bottleneck: workers. Without them the training's own thread loads each batch, and the GPU stands still meanwhile."
                  : "Bottleneck: workers. %s %s not keep %s busy."
                      .formatted(
                          workers,
                          one ? "does" : "do",
                          Counts.of(model.machine().processors(), "processor"));
        });
  }

  private void changes() {
    if (diagnosis.bottleneck() == Bottleneck.NONE) {
      if (!found.enough()) {
        lines.add(
            "Measure again when the machine is idle, or give the loader more time: --seconds.");
        return;
      }
      lines.add(
          "The step time that you give must not include waiting for data: measure it with"
              + " DataLoader.replay().");
      return;
    }
    if (diagnosis.changes().isEmpty()) {
      lines.add("No change that was measured promises more images/s: add processors.");
      return;
    }
    lines.add(
        "What to change, each by itself, with the gain that came in turns with the loader as it is:");
    for (Change change : found.changes()) {
      line(
          "  %s: %s",
          found.attempt(change).map(DoctorText::came).orElseGet(() -> promised(change)),
          words(change));
    }
    if (diagnosis.changes().stream().anyMatch(change -> CONVERTS.contains(change.kind()))) {
      line(
          "The converted data has the same classes and order: let the training open it in place of %s.",
          found.path().getFileName());
    }
  }

  /** The changes that the user has named. */
  private void tried() {
    Set<String> promised =
        diagnosis.changes().stream()
            .map(each -> Output.name(each.kind()))
            .collect(Collectors.toSet());
    boolean first = true;
    for (Map.Entry<String, Attempt> each : found.attempts().entrySet()) {
      if (promised.contains(each.getKey())) {
        continue;
      }
      if (first) {
        lines.add("Tried, each in turns with the loader as it is:");
        first = false;
      }
      line("  %-24s %s", each.getKey(), came(each.getValue()));
    }
    if (found.attempts().values().stream().anyMatch(each -> !each.isClear())) {
      lines.add("Longer turns show whether a gain was by chance: raise --seconds.");
    }
  }

  /** Returns the gain that the figures promise of a change that was not made. */
  private String promised(Change change) {
    String rate =
        found
            .range(change)
            .map(range -> range(range.least(), range.most()))
            .orElse(count(change.imagesPerSecond()));
    return "x %s%s, %s images/s%s, not tried"
        .formatted(
            factor(change.gain()),
            change.kind().measured() ? "" : " at most",
            rate,
            change.most() > change.imagesPerSecond() ? " by how many reads can be joined" : "");
  }

  private static String came(Attempt attempt) {
    return "x %s (%s to %s)%s, %s images/s"
        .formatted(
            factor(attempt.gain()),
            factor(attempt.least()),
            factor(attempt.most()),
            attempt.isClear() ? "" : ", perhaps by chance",
            count(attempt.imagesPerSecond()));
  }

  private String words(Change change) {
    Path path = found.path();
    ReadFigures reads = found.figures().reads();
    DecodeFigures decoding = found.figures().decoding();
    return switch (change.kind()) {
      case WORKERS -> "numWorkers(%s)".formatted(diagnosis.recommended());
      case TRANSFORM ->
          "%s made faster, or done once before the training: without it"
              .formatted(found.pipeline());
      case PACKING ->
          "shards, read from front to back in pieces of %s: feedline convert %s DST --to webdataset"
                  .formatted(ByteSize.words(Plan.PACKED_READ), path)
              + " --shard-size 256M, and WebDataset.builder(...).stream(); if such a piece"
              + " waits no longer than a read does now";
      case SCAN_INDEX ->
          "scan indexes for the first epoch, as later ones have them: feedline index " + path;
      case SMALLER_IMAGES ->
          "images of %s instead of %s: feedline convert %s %s --to webdataset --resize %s; small crops become less sharp"
              .formatted(
                  ByteSize.words(Math.round(decoding.smaller().bytes())),
                  ByteSize.words(Math.round(reads.bytes())),
                  path,
                  beside(path, decoding.smaller().shorterSide()),
                  decoding.smaller().shorterSide());
      case CACHE ->
          isFar()
              ? "a cache on a local disk, for epochs after the first: --cache DIR --cache-size %sM, or DiskCache"
                  .formatted(cacheMebibytes(reads))
              : reads.caching() == ReadFigures.Caching.SECOND_READS
                  ? "data that stay in memory, %s: later epochs, if they fit, or read them once before"
                      .formatted(ByteSize.words(Math.round(reads.bytes() * found.images())))
                  : "a copy on a local disk, %s, whose reads hardly wait"
                      .formatted(ByteSize.words(Math.round(reads.bytes() * found.images())));
      case READING_AHEAD ->
          "reading ahead of the workers, %1$s reads at once: DataLoader.builder(...).readAhead(%1$s)"
              .formatted(Diagnosis.READS_AHEAD);
      case BYTES_TO_DEVICE ->
          "rows of bytes, ToTensor with UINT8 and normalizeOnDevice: copying a batch takes %s, not %s"
              .formatted(time(copySeconds() / Float.BYTES), time(copySeconds()));
    };
  }

  /** A name for a copy of a store whose images have another size. */
  private static String beside(Path path, int shorterSide) {
    Path name = path.getFileName();
    return name == null ? "DST" : path.resolveSibling(name + "-" + shorterSide).toString();
  }

  /** Room for all images, each of which takes a file of whole blocks. */
  private long cacheMebibytes(ReadFigures reads) {
    return (long) Math.ceil((reads.bytes() + CACHE_ENTRY_BYTES) * found.images() / (1 << 20)) + 1;
  }

  private double copySeconds() {
    Workload workload = diagnosis.workload();
    return (double) workload.batchSize().orElseThrow()
        * workload.rowBytes().orElseThrow()
        / found.figures().machine().copyBytesPerSecond();
  }

  private static String row(
      String workers, String epoch, String predicted, String measured, String error) {
    return String.format(
            Locale.ROOT, "%9s%8s%12s%12s%9s", workers, epoch, predicted, measured, error)
        .stripTrailing();
  }

  private static String time(double seconds) {
    return TimeSpan.words(seconds);
  }

  /** A number with three digits or so. */
  private static String count(double value) {
    return String.format(
        Locale.ROOT, value < 9.995 ? "%.2f" : value < 99.95 ? "%.1f" : "%.0f", value);
  }

  private static String factor(double value) {
    return String.format(Locale.ROOT, value < 9.995 ? "%.2f" : "%.1f", value);
  }

  private static String signed(double percent) {
    return String.format(Locale.ROOT, "%+.1f%%", percent);
  }
}

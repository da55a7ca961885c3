package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Examination.Run;
import io.feedline.formats.cli.internal.doctor.Trials.Attempt;
import io.feedline.formats.cli.internal.plan.LoaderModel;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An examination as JSON. Its names are in DOCTOR.md and are kept; each is always there, and null
 * where the value is not known. Times are in seconds, sizes in bytes.
 */
final class DoctorJson {

  private DoctorJson() {}

  static Map<String, Object> of(Examination found) {
    Diagnosis diagnosis = found.diagnosis();
    Run asked = found.asked();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("path", found.path().toString());
    json.put("format", found.format());
    json.put("images", found.images());
    json.put("pipeline", found.pipeline());
    json.put("busy_machine", found.busyMachine());
    json.put("bottleneck", Output.name(diagnosis.bottleneck()));
    json.put("needed_images_per_second", diagnosis.need());
    json.put("predicted_images_per_second", asked.predicted());
    json.put("measured_images_per_second", measured(asked));
    json.put("error_percent", asked.errorPercent().orElse(null));
    json.put("busy", found.busy());
    json.put("workers", diagnosis.workers());
    json.put("recommended_workers", diagnosis.recommended());
    json.put("processors_needed", diagnosis.processorsNeeded());
    json.put("limits", limits(diagnosis));
    json.put("first_epoch_images_per_second", found.predicted(Epoch.FIRST));
    json.put("later_epochs_images_per_second", found.predicted(Epoch.LATER));
    json.put("changes", found.changes().stream().map(each -> change(found, each)).toList());
    json.put(
        "tried",
        found.attempts().entrySet().stream()
            .map(each -> attempt(each.getKey(), each.getValue()))
            .toList());
    json.put("runs", found.runs().stream().map(DoctorJson::run).toList());
    json.put("reads", reads(found.figures().reads()));
    json.put("decoding", decoding(found.figures().decoding()));
    json.put("machine", machine(found.figures().machine()));
    return json;
  }

  private static Map<String, Object> limits(Diagnosis diagnosis) {
    LoaderModel model = diagnosis.model();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("epoch", Output.name(diagnosis.epoch()));
    json.put("wait_seconds", model.waitSeconds());
    json.put("cpu_seconds", model.cpuSeconds());
    json.put("workers_images_per_second", model.workersLimit(Math.max(1, diagnosis.workers())));
    json.put("cpu_images_per_second", model.cpuLimit());
    json.put(
        "reads_images_per_second",
        Double.isInfinite(model.mostReadsPerSecond()) ? null : model.mostReadsPerSecond());
    return json;
  }

  private static Map<String, Object> change(Examination found, Diagnosis.Change change) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("change", Output.name(change.kind()));
    json.put("predicted_images_per_second", change.imagesPerSecond());
    json.put("gain", change.gain());
    Optional<Examination.Range> range = found.range(change);
    json.put("least_images_per_second", range.map(Examination.Range::least).orElse(null));
    json.put("most_images_per_second", range.map(Examination.Range::most).orElse(null));
    json.put("range_because_of", range.map(Examination.Range::reason).orElse(null));
    Optional<Attempt> came = found.attempt(change);
    json.put("measured_images_per_second", came.map(Attempt::imagesPerSecond).orElse(null));
    json.put("measured_gain", came.map(Attempt::gain).orElse(null));
    json.put("measured", change.kind().measured());
    return json;
  }

  private static Map<String, Object> attempt(String change, Attempt attempt) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("change", change);
    json.put("measured_images_per_second", attempt.imagesPerSecond());
    json.put("measured_gain", attempt.gain());
    json.put("least_gain", attempt.least());
    json.put("most_gain", attempt.most());
    json.put("clear", attempt.isClear());
    return json;
  }

  private static Map<String, Object> run(Run run) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("workers", run.workers());
    json.put("epoch", Output.name(run.epoch()));
    json.put("speedup", run.machine().speedup(Math.max(1, run.workers())));
    json.put("predicted_images_per_second", run.predicted());
    json.put("measured_images_per_second", measured(run));
    json.put("error_percent", run.errorPercent().orElse(null));
    json.put("least_images_per_second", run.trial().map(Trial::least).orElse(null));
    json.put("most_images_per_second", run.trial().map(Trial::most).orElse(null));
    json.put("images", run.trial().map(Trial::images).orElse(null));
    json.put("workers_contention", run.trial().map(Trial::contention).orElse(null));
    json.put(
        "other_processes_processors",
        run.trial().map(trial -> Output.orNull(trial.othersProcessors())).orElse(null));
    return json;
  }

  private static Double measured(Run run) {
    Optional<Trial> trial = run.trial();
    return trial.map(Trial::imagesPerSecond).orElse(null);
  }

  private static Map<String, Object> reads(ReadFigures reads) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("images", reads.images());
    json.put("image_bytes", reads.bytes());
    json.put("caching", Output.name(reads.caching()));
    json.put("first_read", cost(reads.first()));
    json.put("second_read", cost(reads.again()));
    json.put("in_flight", reads.flights().stream().map(DoctorJson::flight).toList());
    json.put("most_reads_per_second", Output.orNull(reads.mostReadsPerSecond()));
    return json;
  }

  private static Map<String, Object> cost(ReadFigures.Cost cost) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("latency_seconds", cost.latencySeconds());
    json.put("wait_seconds", cost.waitSeconds());
    json.put("cpu_seconds", cost.cpuSeconds());
    return json;
  }

  private static Map<String, Object> flight(ReadFigures.Flight flight) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("threads", flight.threads());
    json.put("reads_per_second", flight.readsPerSecond());
    json.put("cpu_seconds", flight.cpuSeconds());
    json.put("wait_seconds", flight.waitSeconds());
    return json;
  }

  private static Map<String, Object> decoding(DecodeFigures decoding) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("first_cpu_seconds", decoding.firstSeconds());
    json.put("later_cpu_seconds", decoding.laterSeconds());
    json.put("byte_rows_cpu_seconds", decoding.byteRowsSeconds());
    json.put("transform_cpu_seconds", decoding.transformSeconds());
    json.put("transform_wait_seconds", decoding.waitSeconds());
    json.put("scan_index_kept", decoding.indexKept());
    json.put("kinds", decoding.kinds().stream().map(DoctorJson::kind).toList());
    DecodeFigures.Smaller smaller = decoding.smaller();
    Map<String, Object> scaled = new LinkedHashMap<>();
    scaled.put("shorter_side", smaller.shorterSide());
    scaled.put("changed", smaller.changed());
    scaled.put("image_bytes", smaller.bytes());
    scaled.put("later_cpu_seconds", smaller.laterSeconds());
    json.put("smaller", scaled);
    return json;
  }

  private static Map<String, Object> kind(DecodeFigures.Kind kind) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kind", kind.name());
    json.put("images", kind.images());
    json.put("image_bytes", kind.bytes());
    json.put("first_cpu_seconds", kind.firstSeconds());
    json.put("later_cpu_seconds", kind.laterSeconds());
    return json;
  }

  private static Map<String, Object> machine(MachineFigures machine) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("processors", machine.processors());
    json.put("other_processes_processors", Output.orNull(machine.othersProcessors()));
    json.put("copy_bytes_per_second", machine.copyBytesPerSecond());
    List<Map<String, Object>> speedups =
        machine.speedups().stream()
            .map(
                each -> {
                  Map<String, Object> speedup = new LinkedHashMap<>();
                  speedup.put("threads", each.threads());
                  speedup.put("speedup", each.processors());
                  return speedup;
                })
            .toList();
    json.put("speedups", speedups);
    return json;
  }
}

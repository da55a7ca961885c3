package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.EpochStats;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The findings as JSON. Its names are in DOCTOR.md; each is always there, and null where the value
 * is not known. Times are in seconds, sizes in bytes.
 */
final class DoctorJson {

  private DoctorJson() {}

  static Map<String, Object> of(Findings found) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("path", found.path().toString());
    json.put("format", found.format());
    json.put("images", found.asked().images().size());
    json.put("image_bytes", found.imageBytes());
    json.put("pipeline", found.asked().pipeline().name());
    json.put("workers", found.asked().workers());
    json.put(
        "bottleneck",
        found.enough()
            ? "none"
            : Output.name(
                found.bottleneck().map(Bottleneck.Advice::cause).orElse(Bottleneck.Cause.UNKNOWN)));
    json.put("evidence", found.bottleneck().map(Bottleneck.Advice::evidence).orElse(null));
    json.put("needed_images_per_second", found.need());
    json.put("measured_images_per_second", found.trial().imagesPerSecond());
    json.put("least_images_per_second", found.trial().least());
    json.put("most_images_per_second", found.trial().most());
    json.put("first_epoch_images_per_second", Output.orNull(found.trial().firstEpoch()));
    json.put("busy", found.busy());
    json.put("busy_machine", found.busyMachine());
    json.put("processors", found.record().processors());
    json.put("other_processes_processors", Output.orNull(found.others()));
    json.put("workers_contention", found.record().total().workers().contention());
    json.put("stages", found.stages().stream().map(each -> stage(found, each)).toList());
    json.put("changes", found.made().stream().map(each -> change(found, each)).toList());
    json.put("not_tried", found.untried().stream().map(each -> change(found, each)).toList());
    json.put(
        "tried",
        found.attempts().entrySet().stream()
            .map(each -> attempt(each.getKey(), each.getValue()))
            .toList());
    return json;
  }

  private static Map<String, Object> stage(Findings found, EpochStats.Stage stage) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", stage.name());
    json.put("elapsed_seconds", found.perImage(stage.elapsed()));
    json.put("cpu_seconds", found.perImage(stage.cpu()));
    json.put("queued_seconds", found.perImage(stage.queued()));
    return json;
  }

  private static Map<String, Object> change(Findings found, Change change) {
    Map<String, Object> json = new LinkedHashMap<>();
    Tries.Attempt came = found.attempts().get(change.name());
    json.put("change", change.name());
    json.put("words", change.words());
    json.put("measured_images_per_second", came == null ? null : came.imagesPerSecond());
    json.put("measured_gain", came == null ? null : came.gain());
    return json;
  }

  private static Map<String, Object> attempt(String change, Tries.Attempt attempt) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("change", change);
    json.put("measured_images_per_second", attempt.imagesPerSecond());
    json.put("measured_gain", attempt.gain());
    json.put("least_gain", attempt.least());
    json.put("most_gain", attempt.most());
    json.put("clear", attempt.isClear());
    return json;
  }
}

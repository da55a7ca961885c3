package io.feedline.formats.report;

import io.feedline.internal.JsonMembers;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The findings of {@code feedline doctor --json}, in words.
 *
 * @param sentences the verdict
 * @param changes what to change, how many images a second that gives, and the factor
 */
record DoctorWords(List<String> sentences, List<List<String>> changes) {

  /**
   * Reads a diagnosis.
   *
   * @throws IllegalArgumentException if the text is not a diagnosis
   */
  static DoctorWords of(String text) {
    JsonMembers json = JsonMembers.read("doctor's findings", text);
    if (!json.members().containsKey("bottleneck")) {
      throw new IllegalArgumentException(
          "not what feedline doctor --json prints: 'bottleneck' is missing");
    }
    List<String> sentences = new ArrayList<>();
    String bottleneck = json.string("bottleneck");
    sentences.add(bottleneck(bottleneck, json));
    OptionalDouble measured = json.numberOrNull("measured_images_per_second");
    OptionalDouble error = json.signedOrNull("error_percent");
    sentences.add(
        "With %s it predicted %s images/s%s; the training needs %s."
            .formatted(
                Html.count(json.number("workers"), "worker"),
                Html.number(json.number("predicted_images_per_second")),
                measured.isPresent()
                    ? " and measured %s (an error of %s%%)"
                        .formatted(
                            Html.number(measured.getAsDouble()), Html.number(error.orElse(0)))
                    : "",
                Html.number(json.number("needed_images_per_second"))));
    return new DoctorWords(
        sentences, json.objects("changes", change -> change(pipeline(json), change)));
  }

  private static String bottleneck(String key, JsonMembers json) {
    String busy = Html.percent(json.number("busy"));
    return switch (key) {
      case "none" -> "Doctor found no bottleneck: the step is slower than the loader.";
      case "cpu" ->
          "Doctor's bottleneck: the processors. They decode less than the training needs, for which %s processors would be enough; the GPU computes at most %s of the time."
              .formatted(Html.number(json.number("processors_needed")), busy);
      case "read-latency" ->
          "Doctor's bottleneck: waiting for reads. The GPU computes at most %s of the time."
              .formatted(busy);
      case "read-bandwidth" ->
          "Doctor's bottleneck: the storage gives no more reads/s, however many reads wait. The GPU computes at most %s of the time."
              .formatted(busy);
      case "workers" ->
          "Doctor's bottleneck: too few workers; %s would help. The GPU computes at most %s of the time."
              .formatted(Html.whole(json.number("recommended_workers")), busy);
      case "transform" ->
          "Doctor's bottleneck: %s takes most of an image's time. The GPU computes at most %s of the time."
              .formatted(pipeline(json), busy);
      default -> "Doctor's bottleneck: " + key + ".";
    };
  }

  private static String pipeline(JsonMembers json) {
    return json.has("pipeline") ? json.string("pipeline") : "the transform";
  }

  private static List<String> change(String pipeline, JsonMembers json) {
    String key = json.string("change");
    String words =
        switch (key) {
          case "workers" -> "as many workers as it recommends";
          case "transform" -> pipeline + " made faster, or done once before the training";
          case "packing" -> "shards, read from front to back (feedline convert)";
          case "scan-index" -> "scan indexes for the first epoch (feedline index)";
          case "smaller-images" -> "smaller stored images (feedline convert --resize)";
          case "cache" -> "a cache, or a copy on a local disk";
          case "reading-ahead" -> "reads ahead of the workers (readAhead)";
          case "bytes-to-device" -> "rows of bytes, normalized on the device";
          default -> key;
        };
    return List.of(
        words,
        came(json, "measured_images_per_second", "predicted_images_per_second"),
        came(json, "measured_gain", "gain"));
  }

  /** A figure as it came when the change was made; where it was not, as it was predicted. */
  private static String came(JsonMembers json, String measured, String predicted) {
    return Html.number(json.numberIfPresent(measured).orElseGet(() -> json.number(predicted)));
  }
}

package io.feedline.formats.report;

import io.feedline.internal.JsonMembers;
import java.util.ArrayList;
import java.util.List;

/**
 * The findings of {@code feedline doctor --json}, in words.
 *
 * @param sentences the verdict
 * @param changes what to change, how many images a second came with it, and the factor
 */
record DoctorWords(List<String> sentences, List<List<String>> changes) {

  /**
   * Reads the findings.
   *
   * @throws IllegalArgumentException if the text is anything else
   */
  static DoctorWords of(String text) {
    JsonMembers json = JsonMembers.read("doctor's findings", text);
    if (!json.members().containsKey("bottleneck")) {
      throw new IllegalArgumentException(
          "not what feedline doctor --json prints: 'bottleneck' is missing");
    }
    List<String> sentences = new ArrayList<>();
    sentences.add(
        json.string("bottleneck").equals("none")
            ? "Doctor found no bottleneck: the step is slower than the loader."
            : "Doctor's bottleneck: %s. %s%s"
                .formatted(
                    json.string("bottleneck"),
                    json.string("evidence"),
                    json.has("busy")
                        ? " The GPU computes at most %s of the time."
                            .formatted(Html.percent(json.number("busy")))
                        : ""));
    sentences.add(
        "With %s %s images/s came%s."
            .formatted(
                Html.count(json.number("workers"), "worker"),
                Html.number(json.number("measured_images_per_second")),
                json.has("needed_images_per_second")
                    ? "; the training needs " + Html.number(json.number("needed_images_per_second"))
                    : ""));
    List<List<String>> changes = new ArrayList<>();
    for (JsonMembers each : json.objects("changes", each -> each)) {
      changes.add(
          List.of(
              each.string("words"),
              Html.number(each.number("measured_images_per_second")),
              Html.number(each.number("measured_gain"))));
    }
    json.strings("not_tried").forEach(each -> changes.add(List.of(each, "not tried", "")));
    return new DoctorWords(sentences, changes);
  }
}

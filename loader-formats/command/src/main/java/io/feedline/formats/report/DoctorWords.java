package io.feedline.formats.report;

import io.feedline.internal.JsonMembers;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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
            : "Doctor's bottleneck: %s. %sThe GPU computes at most %s of the time."
                .formatted(
                    json.string("bottleneck"),
                    json.has("evidence") ? json.string("evidence") + " " : "",
                    Html.percent(json.number("busy"))));
    sentences.add(
        "With %s %s images/s came; the training needs %s."
            .formatted(
                Html.count(json.number("workers"), "worker"),
                Html.number(json.number("measured_images_per_second")),
                Html.number(json.number("needed_images_per_second"))));
    return new DoctorWords(
        sentences,
        Stream.of("changes", "not_tried")
            .flatMap(list -> json.objects(list, DoctorWords::change).stream())
            .toList());
  }

  private static List<String> change(JsonMembers json) {
    return List.of(
        json.string("words"),
        came(json, "measured_images_per_second"),
        came(json, "measured_gain"));
  }

  private static String came(JsonMembers json, String name) {
    return json.has(name) ? Html.number(json.number(name)) : "not tried";
  }
}

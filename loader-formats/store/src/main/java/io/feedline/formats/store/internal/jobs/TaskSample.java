package io.feedline.formats.store.internal.jobs;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import java.util.Map;

/**
 * The output of a task: an image, and further fields.
 *
 * @param fields by name, each of its type; without absent fields
 */
public record TaskSample(EncodedImage image, Map<String, Object> fields) {

  /**
   * An error of a field that the format cannot hold.
   *
   * @param problem what was found, and what was expected
   */
  public FormatException refused(String field, String problem) {
    return new FormatException("image %s: field '%s' %s".formatted(image.key(), field, problem));
  }
}

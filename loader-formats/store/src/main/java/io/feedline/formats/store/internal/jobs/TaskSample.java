package io.feedline.formats.store.internal.jobs;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import java.util.Map;

public record TaskSample(EncodedImage image, Map<String, Object> fields) {

  public FormatException refused(String field, String problem) {
    return new FormatException("image %s: field '%s' %s".formatted(image.key(), field, problem));
  }
}

package io.feedline.formats.store.internal.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of a dataset's classes, by the index of the class, kept as JSON beside files whose
 * format has no place for names: {@code {"classes": ["cat", "dog"], "firstLabel": 1}}.
 *
 * @param firstLabel the label of class 0 in the files: 1 where 0 stands for a background, as in
 *     TensorFlow's ImageNet; 0 if absent
 */
public record ClassList(List<String> names, int firstLabel) {

  private static final Logger LOG = LoggerFactory.getLogger(ClassList.class);

  /** The largest size of a list of classes in bytes; a larger file is not such a list. */
  private static final long MAX_BYTES = 64L << 20;

  public ClassList {
    names = List.copyOf(names);
    if (firstLabel < 0) {
      throw new IllegalArgumentException("firstLabel must be 0 or more, was " + firstLabel);
    }
  }

  public static final ClassList NONE = new ClassList(List.of(), 0);

  public static final String SUFFIX = ".classes.json";

  public static final String FILE_NAME = "classes.json";

  public static ClassList readIfPresent(Path file) throws IOException {
    try {
      return Presence.exists(file) ? read(file) : NONE;
    } catch (AccessDeniedException refused) {
      // S3 refuses access to an absent object, unless the user may list the bucket.
      LOG.warn("{} is not used, so classes have no names: {}", file, refused.getMessage());
      return NONE;
    }
  }

  public static ClassList read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IOException(
          "%s: %d bytes are too many for a list of classes".formatted(file, Files.size(file)));
    }
    String text;
    try {
      text = Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + ": a list of classes must be UTF-8", e);
    }
    try {
      JsonMembers json = JsonMembers.read(file.toString(), text);
      long firstLabel =
          json.members().containsKey("firstLabel")
              ? json.whole("firstLabel", 0, Integer.MAX_VALUE)
              : 0;
      return new ClassList(json.strings("classes"), (int) firstLabel);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Returns a label's class; {@link EncodedImage#NO_LABEL} for -1 and below the first label. */
  public int index(long stored) throws FormatException {
    if (stored == EncodedImage.NO_LABEL || (stored >= 0 && stored < firstLabel)) {
      return EncodedImage.NO_LABEL;
    }
    long label = stored - firstLabel;
    long end = names.isEmpty() ? Integer.MAX_VALUE : names.size();
    if (label < 0 || label >= end) {
      throw new FormatException(
          "the label is %d, but labels begin with %d, and there are %s classes"
              .formatted(stored, firstLabel, names.isEmpty() ? "at most 2^31 - 1" : end));
    }
    return (int) label;
  }

  public void requireClass(EncodedImage image) throws FormatException {
    if (!names.isEmpty() && image.label() >= names.size()) {
      throw new FormatException(
          "image %s has label %d, but there are %d classes"
              .formatted(image.key(), image.label(), names.size()));
    }
  }

  public static List<String> names(JsonMembers index) {
    return index.members().containsKey("classes") ? index.strings("classes") : List.of();
  }

  public void write(StagedOutput output, Path file) throws IOException {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("classes", names);
    json.put("firstLabel", firstLabel);
    output.write(file, (Json.write(json) + "\n").getBytes(UTF_8));
  }
}

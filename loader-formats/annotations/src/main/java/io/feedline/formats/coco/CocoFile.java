package io.feedline.formats.coco;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.feedline.formats.coco.AnnotationBytes.Reader;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.internal.files.OpenFile;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/**
 * The annotations of a data set, read from front to back and kept in arrays: instances of COCO's
 * training images take 450 MB as JSON, gigabytes as a tree, and some 170 MB here. Immutable.
 */
final class CocoFile {

  /** COCO's own annotations are nested 5 deep. */
  private static final int MAX_DEPTH = 32;

  private static final int MOST_COORDINATES = 1 << 22;

  private static final int BUFFER = 1 << 18;

  private final Path file;
  private final List<CocoDetection.Category> categories = new ArrayList<>();
  private final List<CocoImage> images = new ArrayList<>();

  /** The image of each annotation, in the order of the file; first by image when all are known. */
  private long[] imageIds = new long[64];

  private long[] annotationCategories = new long[64];
  private float[] boxes = new float[256];
  private final BitSet crowds = new BitSet();

  /** The places of data of varying length: outline, key points, caption. */
  private int[] places = new int[64];

  private int count;
  private final AnnotationBytes bytes = new AnnotationBytes();
  private final Parts parts;

  /** Checksum of all bytes of the file. */
  private long checksum;

  /** The first annotation of each image in {@link #order}, and the number of its annotations. */
  private int[] starts;

  /** The annotations, image by image. */
  private int[] order;

  /**
   * An image.
   *
   * @param id in the file
   * @param name of its file
   * @param width in pixels; 0 where the file does not tell
   * @param height in pixels; 0 where the file does not tell
   */
  record CocoImage(long id, String name, int width, int height) {}

  /** The parts of annotations that are kept. */
  enum Parts {
    BOXES,
    OUTLINES,
    KEY_POINTS,
    CAPTIONS
  }

  private CocoFile(Path file, Parts parts) {
    this.file = file;
    this.parts = parts;
  }

  /**
   * Reads a file.
   *
   * @throws FormatException if it is no JSON, no such annotations, or damaged, with its place
   * @throws IOException if it cannot be read
   */
  static CocoFile read(Path file, Parts parts) throws IOException {
    CocoFile annotations = new CocoFile(file, parts);
    CRC32C checksum = new CRC32C();
    try (OpenFile open = OpenFile.of(file);
        InputStream bytes =
            new BufferedInputStream(new CheckedInputStream(open.stream(), checksum), BUFFER);
        JsonReader json =
            new JsonReader(
                new BufferedReader(
                    new InputStreamReader(
                        bytes,
                        UTF_8
                            .newDecoder()
                            .onMalformedInput(CodingErrorAction.REPORT)
                            .onUnmappableCharacter(CodingErrorAction.REPORT)),
                    BUFFER))) {
      json.setStrictness(Strictness.STRICT);
      json.setNestingLimit(MAX_DEPTH);
      try {
        annotations.file(json);
      } catch (FormatException damaged) {
        throw damaged.at(file + ", " + json.getPath());
      } catch (MalformedJsonException
          | IllegalStateException
          | NumberFormatException
          | EOFException
          | CharacterCodingException damaged) {
        throw FormatException.in(
            file,
            "at %s: expected COCO's annotations: %s"
                .formatted(json.getPath(), damaged.getMessage()),
            damaged);
      }
    }
    annotations.checksum = checksum.getValue();
    annotations.group();
    return annotations;
  }

  private void file(JsonReader json) throws IOException {
    boolean found = false;
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "images" -> array(json, this::image);
        case "annotations" -> {
          array(json, this::annotation);
          found = true;
        }
        case "categories" -> array(json, this::category);
        default -> json.skipValue();
      }
    }
    json.endObject();
    if (!found || images.isEmpty()) {
      throw new FormatException(
          "there are %s, but COCO's annotations have a list of each"
              .formatted(found ? "no images" : "no annotations"));
    }
    if (json.peek() != JsonToken.END_DOCUMENT) {
      throw new FormatException("there is more behind the annotations");
    }
  }

  /** Reads one element of a list. */
  private interface Element {
    void read(JsonReader json) throws IOException;
  }

  private static void array(JsonReader json, Element element) throws IOException {
    json.beginArray();
    while (json.hasNext()) {
      element.read(json);
    }
    json.endArray();
  }

  private void image(JsonReader json) throws IOException {
    long id = Long.MIN_VALUE;
    String name = null;
    int width = 0;
    int height = 0;
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "id" -> id = json.nextLong();
        case "file_name" -> name = json.nextString();
        case "width" -> width = json.nextInt();
        case "height" -> height = json.nextInt();
        default -> json.skipValue();
      }
    }
    if (id == Long.MIN_VALUE || name == null || width < 0 || height < 0) {
      throw new FormatException("an image without id and file_name, or of less than no size");
    }
    json.endObject();
    images.add(new CocoImage(id, name, width, height));
  }

  private void category(JsonReader json) throws IOException {
    long id = Long.MIN_VALUE;
    String name = null;
    List<String> keyPoints = new ArrayList<>();
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "id" -> id = json.nextLong();
        case "name" -> name = json.nextString();
        case "keypoints" -> array(json, names -> keyPoints.add(names.nextString()));
        default -> json.skipValue();
      }
    }
    if (id == Long.MIN_VALUE || name == null) {
      throw new FormatException("a category without id and name");
    }
    json.endObject();
    categories.add(new CocoDetection.Category(id, name, keyPoints));
  }

  private void annotation(JsonReader json) throws IOException {
    if (count == imageIds.length) {
      int more = Math.multiplyExact(count, 2);
      imageIds = Arrays.copyOf(imageIds, more);
      annotationCategories = Arrays.copyOf(annotationCategories, more);
      places = Arrays.copyOf(places, more);
      boxes = Arrays.copyOf(boxes, Math.multiplyExact(more, 4));
    }
    long image = Long.MIN_VALUE;
    long category = Long.MIN_VALUE;
    boolean box = false;
    boolean part = false;
    places[count] = bytes.size();
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "image_id" -> image = json.nextLong();
        case "category_id" -> category = json.nextLong();
        case "iscrowd" -> crowds.set(count, flag(json));
        case "bbox" -> {
          double[] xywh = numbers(json, 4);
          if (xywh.length != 4) {
            throw new FormatException("a box of %d numbers".formatted(xywh.length));
          }
          for (int i = 0; i < 4; i++) {
            boxes[4 * count + i] = (float) xywh[i];
          }
          box = true;
        }
        case "segmentation" -> part |= part(json, Parts.OUTLINES, part);
        case "keypoints" -> part |= part(json, Parts.KEY_POINTS, part);
        case "caption" -> part |= part(json, Parts.CAPTIONS, part);
        default -> json.skipValue();
      }
    }
    boolean caption = parts == Parts.CAPTIONS;
    if (image == Long.MIN_VALUE || (!caption && (!box || category == Long.MIN_VALUE))) {
      throw new FormatException(
          caption
              ? "a caption without image_id"
              : "an instance without image_id, category_id and bbox");
    }
    if (!part && parts != Parts.BOXES) {
      if (parts != Parts.OUTLINES) {
        throw new FormatException(
            "there is no %s: annotations of another kind"
                .formatted(caption ? "caption" : "keypoints"));
      }
      bytes.addCount(Outlines.NONE);
    }
    json.endObject();
    imageIds[count] = image;
    annotationCategories[count] = category;
    count++;
  }

  private static boolean flag(JsonReader json) throws IOException {
    return json.peek() == JsonToken.BOOLEAN ? json.nextBoolean() : json.nextInt() != 0;
  }

  private boolean part(JsonReader json, Parts kind, boolean again) throws IOException {
    if (parts != kind) {
      json.skipValue();
      return false;
    }
    if (again) {
      throw new FormatException("it is there twice");
    }
    switch (kind) {
      case OUTLINES -> Outlines.read(json, bytes);
      case KEY_POINTS -> {
        double[] triples = numbers(json, MOST_COORDINATES);
        bytes.addCoordinates(triples, triples.length);
      }
      case CAPTIONS -> bytes.addBytes(json.nextString().getBytes(UTF_8));
      case BOXES -> throw new IllegalStateException("boxes vary in nothing");
    }
    return true;
  }

  /** Numbers of a list, at most so many. */
  static double[] numbers(JsonReader json, int most) throws IOException {
    double[] numbers = new double[Math.min(most, 64)];
    int length = 0;
    json.beginArray();
    while (json.hasNext()) {
      if (length == numbers.length) {
        if (length == most) {
          throw new FormatException("a list of more than %d numbers".formatted(most));
        }
        numbers = Arrays.copyOf(numbers, (int) Math.min(most, 2L * length));
      }
      if (json.peek() != JsonToken.NUMBER) {
        throw new FormatException("expected a number, found " + json.peek());
      }
      numbers[length++] = json.nextDouble();
    }
    json.endArray();
    return Arrays.copyOf(numbers, length);
  }

  /** Brings the annotations into the order of their images, and images into that of their ids. */
  private void group() throws FormatException {
    images.sort((a, b) -> Long.compare(a.id(), b.id()));
    Map<Long, Integer> numbers = new HashMap<>();
    for (CocoImage image : images) {
      if (numbers.put(image.id(), numbers.size()) != null) {
        throw FormatException.in(file, "there are two images with the id " + image.id());
      }
    }
    categories.sort((a, b) -> Long.compare(a.id(), b.id()));
    Map<Long, Integer> labels = new HashMap<>();
    for (CocoDetection.Category category : categories) {
      if (labels.put(category.id(), labels.size()) != null) {
        throw FormatException.in(file, "there are two categories with the id " + category.id());
      }
    }
    int[] ofImage = new int[count];
    starts = new int[images.size() + 1];
    for (int i = 0; i < count; i++) {
      // An annotation without an image is left out, as in pycocotools.
      ofImage[i] = numbers.getOrDefault(imageIds[i], -1);
      if (ofImage[i] >= 0) {
        starts[ofImage[i] + 1]++;
        if (parts != Parts.CAPTIONS && !labels.containsKey(annotationCategories[i])) {
          throw FormatException.in(
              file,
              "annotation %d is of category %d, which is not listed"
                  .formatted(i, annotationCategories[i]));
        }
      }
    }
    for (int i = 0; i < images.size(); i++) {
      starts[i + 1] += starts[i];
    }
    order = new int[starts[images.size()]];
    int[] next = starts.clone();
    for (int i = 0; i < count; i++) {
      if (ofImage[i] >= 0) {
        order[next[ofImage[i]]++] = i;
      }
    }
    imageIds = null;
    annotationCategories = Arrays.copyOf(annotationCategories, count);
    boxes = Arrays.copyOf(boxes, 4 * count);
    places = Arrays.copyOf(places, count);
    bytes.trim();
  }

  Path file() {
    return file;
  }

  /** A checksum of all bytes of the file. */
  long checksum() {
    return checksum;
  }

  /** Sorted by id. */
  List<CocoDetection.Category> categories() {
    return List.copyOf(categories);
  }

  int imageCount() {
    return images.size();
  }

  CocoImage image(int number) {
    return images.get(number);
  }

  /** The annotations of an image, in the order of the file. */
  int[] annotations(int image, boolean withCrowds) {
    return IntStream.range(starts[image], starts[image + 1])
        .map(i -> order[i])
        .filter(i -> withCrowds || !crowds.get(i))
        .toArray();
  }

  boolean isCrowd(int annotation) {
    return crowds.get(annotation);
  }

  long category(int annotation) {
    return annotationCategories[annotation];
  }

  /** Copies x, y, width and height. */
  void box(int annotation, float[] target, int at) {
    System.arraycopy(boxes, 4 * annotation, target, at, 4);
  }

  /** Reads the part that is kept. */
  Reader part(int annotation) {
    return bytes.at(places[annotation]);
  }
}

package io.feedline.formats.coco;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Strictness;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.MalformedJsonException;
import io.feedline.data.FormatException;
import io.feedline.formats.coco.AnnotationBytes.Reader;
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
 * The annotations of a data set, read from front to back into arrays. The instances of COCO's
 * training images take 450 MB as JSON, gigabytes as objects, and 170 MB here. Immutable.
 */
final class CocoFile {

  /** The deepest nesting that is read; COCO's own annotations have a depth of 5. */
  private static final int MAX_DEPTH = 32;

  private static final int MOST_COORDINATES = 1 << 22;

  private static final int BUFFER = 1 << 18;

  private final Path file;
  private final List<CocoDataset.Category> categories = new ArrayList<>();
  private final List<CocoImage> images = new ArrayList<>();

  /** The id of each annotation's image, in the order of the file; null after {@link #group}. */
  private long[] imageIds = new long[64];

  private long[] annotationCategories = new long[64];
  private float[] boxes = new float[256];
  private final BitSet crowds = new BitSet();

  /** The reason why an annotation is invalid, by its index; reading its image fails. */
  private final Map<Integer, String> unusable = new HashMap<>();

  private final Ids idsOfImages = new Ids();
  private final Ids idsOfCategories = new Ids();

  /** The position in {@link #bytes} of each annotation's outline, key points or caption. */
  private int[] places = new int[64];

  private int count;
  private int mostKeyPoints;
  private final AnnotationBytes bytes = new AnnotationBytes();
  private final Parts parts;

  /** True if an annotation was read that has {@link Parts#member}. */
  private boolean fits;

  private long checksum;

  /** The indexes in {@link #order} where images' annotations begin; the last one is its length. */
  private int[] starts;

  private int[] order;

  /**
   * @param id the id in the file
   * @param width the width in pixels; 0 if the file does not contain it
   * @param height the height in pixels; 0 if the file does not contain it
   */
  record CocoImage(long id, String name, int width, int height) {

    CocoImage withId(long other) {
      return new CocoImage(other, name, width, height);
    }
  }

  enum Parts {
    BOXES("category_id"),
    OUTLINES("category_id"),
    KEY_POINTS("list of keypoints"),
    CAPTIONS("caption");

    /** The member of JSON that only annotations of this kind have. */
    private final String member;

    Parts(String member) {
      this.member = member;
    }
  }

  private CocoFile(Path file, Parts parts) {
    this.file = file;
    this.parts = parts;
  }

  /**
   * @throws FormatException if the file is not JSON, has other annotations, or is damaged; the
   *     message names the place
   * @throws IOException if the file cannot be read
   */
  static CocoFile read(Path file, Parts parts) throws IOException {
    CocoFile annotations = new CocoFile(file, parts);
    CRC32C checksum = new CRC32C();
    try (OpenFile open = OpenFile.of(file);
        InputStream bytes =
            new BufferedInputStream(new CheckedInputStream(open.stream(), checksum), BUFFER);
        JsonReader json =
            new JsonReader(
                new PythonJson(
                    new BufferedReader(
                        new InputStreamReader(
                            bytes,
                            UTF_8
                                .newDecoder()
                                .onMalformedInput(CodingErrorAction.REPORT)
                                .onUnmappableCharacter(CodingErrorAction.REPORT)),
                        BUFFER)))) {
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
        case "annotations" -> found |= array(json, this::annotation);
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

  private interface Element {
    void read(JsonReader json) throws IOException;
  }

  /** Reads the elements of a list; returns false if there is null instead of a list. */
  private static boolean array(JsonReader json, Element element) throws IOException {
    if (json.peek() == JsonToken.NULL) {
      json.nextNull();
      return false;
    }
    json.beginArray();
    while (json.hasNext()) {
      element.read(json);
    }
    json.endArray();
    return true;
  }

  private void image(JsonReader json) throws IOException {
    long id = Ids.NONE;
    String name = null;
    int width = 0;
    int height = 0;
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "id" -> id = idsOfImages.read(json);
        case "file_name" -> name = json.nextString();
        case "width" -> width = side(json);
        case "height" -> height = side(json);
        default -> json.skipValue();
      }
    }
    if (id == Ids.NONE || name == null || width < 0 || height < 0) {
      throw new FormatException("an image without id and file_name, or of less than no size");
    }
    json.endObject();
    images.add(new CocoImage(id, name, width, height));
  }

  private static int side(JsonReader json) throws IOException {
    if (json.peek() == JsonToken.NULL) {
      json.nextNull();
      return 0;
    }
    return json.nextInt();
  }

  private void category(JsonReader json) throws IOException {
    long id = Ids.NONE;
    String name = null;
    List<String> keyPoints = new ArrayList<>();
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "id" -> id = idsOfCategories.read(json);
        case "name" -> name = json.nextString();
        case "keypoints" -> array(json, names -> keyPoints.add(names.nextString()));
        default -> json.skipValue();
      }
    }
    if (id == Ids.NONE || name == null) {
      throw new FormatException("a category without id and name");
    }
    json.endObject();
    categories.add(new CocoDataset.Category(id, name, keyPoints));
  }

  private void annotation(JsonReader json) throws IOException {
    if (count == imageIds.length) {
      int more = Math.multiplyExact(count, 2);
      imageIds = Arrays.copyOf(imageIds, more);
      annotationCategories = Arrays.copyOf(annotationCategories, more);
      places = Arrays.copyOf(places, more);
      boxes = Arrays.copyOf(boxes, Math.multiplyExact(more, 4));
    }
    long image = Ids.NONE;
    long category = Ids.NONE;
    boolean placed = false;
    boolean classified = false;
    boolean box = false;
    boolean part = false;
    places[count] = bytes.size();
    json.beginObject();
    while (json.hasNext()) {
      switch (json.nextName()) {
        case "image_id" -> {
          image = idsOfImages.read(json);
          placed = true;
        }
        case "category_id" -> {
          category = idsOfCategories.read(json);
          classified = true;
        }
        case "iscrowd" -> crowds.set(count, flag(json));
        case "bbox" -> box = box(json);
        case "segmentation" -> part |= part(json, Parts.OUTLINES, part);
        case "keypoints" -> part |= part(json, Parts.KEY_POINTS, part);
        case "caption" -> part |= part(json, Parts.CAPTIONS, part);
        default -> json.skipValue();
      }
    }
    if (!placed) {
      throw new FormatException("an annotation without image_id");
    }
    if (parts != Parts.CAPTIONS) {
      require(category != Ids.NONE, "its category_id is none");
      require(box, "its bbox is not a list of four numbers");
    }
    boolean varying = parts == Parts.KEY_POINTS || parts == Parts.CAPTIONS;
    fits |= varying ? part : classified;
    if (parts == Parts.CAPTIONS) {
      require(part, "it has no caption");
    } else if (!part) {
      bytes.addCount(Outlines.NONE);
    }
    json.endObject();
    imageIds[count] = image;
    annotationCategories[count] = category;
    count++;
  }

  private void require(boolean condition, String problem) {
    if (!condition) {
      unusable.putIfAbsent(count, problem);
    }
  }

  private boolean flag(JsonReader json) throws IOException {
    switch (json.peek()) {
      case NULL -> {
        json.nextNull();
        return false;
      }
      case BOOLEAN -> {
        return json.nextBoolean();
      }
      default -> {
        double flag = number(json);
        require(!Double.isNaN(flag), "its iscrowd is not a number");
        return flag != 0;
      }
    }
  }

  /** Reads a box, and returns whether it is valid. */
  private boolean box(JsonReader json) throws IOException {
    double[] xywh = numbers(json, MOST_COORDINATES);
    if (xywh.length != 4 || !areFinite(xywh)) {
      return false;
    }
    for (int i = 0; i < 4; i++) {
      boxes[4 * count + i] = (float) xywh[i];
    }
    return true;
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
      case OUTLINES -> {
        String problem = Outlines.read(json, bytes);
        require(problem == null, problem);
      }
      case KEY_POINTS -> {
        boolean there = json.peek() != JsonToken.NULL;
        double[] triples = numbers(json, MOST_COORDINATES);
        require(areFinite(triples), "its keypoints are not all numbers");
        bytes.addCoordinates(triples, triples.length);
        mostKeyPoints = Math.max(mostKeyPoints, triples.length / 3);
        return there;
      }
      case CAPTIONS -> {
        if (json.peek() != JsonToken.STRING) {
          json.skipValue();
          return false;
        }
        bytes.addBytes(json.nextString().getBytes(UTF_8));
      }
      case BOXES -> throw new IllegalStateException("boxes vary in nothing");
    }
    return true;
  }

  static boolean areFinite(double... numbers) {
    for (double number : numbers) {
      if (!Double.isFinite(number)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Reads a list of numbers: NaN for an element of another type, empty for a value of another type.
   *
   * @throws FormatException if there are more than {@code most} numbers
   */
  static double[] numbers(JsonReader json, int most) throws IOException {
    if (json.peek() != JsonToken.BEGIN_ARRAY) {
      json.skipValue();
      return new double[0];
    }
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
      numbers[length++] = number(json);
    }
    json.endArray();
    return Arrays.copyOf(numbers, length);
  }

  /** Reads a number, which may be infinite; returns NaN for a value that is not a number. */
  private static double number(JsonReader json) throws IOException {
    if (json.peek() != JsonToken.NUMBER) {
      json.skipValue();
      return Double.NaN;
    }
    // 1e999 is infinite in Python, and an error in strict JSON.
    json.setStrictness(Strictness.LENIENT);
    double number = json.nextDouble();
    json.setStrictness(Strictness.STRICT);
    return number;
  }

  /** Sorts the annotations by their images, and the images by their ids. */
  private void group() throws FormatException {
    if (count > 0 && !fits) {
      throw FormatException.in(
          file,
          "no annotation has a %s: these are annotations of another kind".formatted(parts.member));
    }
    idsOfImages.number(file, "images");
    idsOfCategories.number(file, "categories");
    images.replaceAll(image -> image.withId(idsOfImages.number(image.id())));
    images.sort((a, b) -> Long.compare(a.id(), b.id()));
    Map<Long, Integer> numbers = new HashMap<>();
    for (CocoImage image : images) {
      if (numbers.put(image.id(), numbers.size()) != null) {
        throw FormatException.in(
            file, "there are two images with the id " + idsOfImages.inWords(image.id()));
      }
    }
    categories.replaceAll(each -> each.withId(idsOfCategories.number(each.id())));
    categories.sort((a, b) -> Long.compare(a.id(), b.id()));
    Map<Long, Integer> labels = new HashMap<>();
    for (CocoDataset.Category category : categories) {
      if (labels.put(category.id(), labels.size()) != null) {
        throw FormatException.in(
            file, "there are two categories with the id " + idsOfCategories.inWords(category.id()));
      }
    }
    int[] ofImage = new int[count];
    starts = new int[images.size() + 1];
    for (int i = 0; i < count; i++) {
      // An annotation without an image is left out, as in pycocotools.
      ofImage[i] = numbers.getOrDefault(idsOfImages.number(imageIds[i]), -1);
      long category = idsOfCategories.number(annotationCategories[i]);
      annotationCategories[i] = category;
      if (ofImage[i] >= 0) {
        starts[ofImage[i] + 1]++;
        // If the file lists no categories, each id is allowed: ids are labels.
        boolean listed = labels.isEmpty() || labels.containsKey(category);
        if (parts != Parts.CAPTIONS && !listed) {
          unusable.putIfAbsent(
              i,
              "it is of category %s, which is not listed"
                  .formatted(idsOfCategories.inWords(category)));
        }
      }
    }
    for (int i = 0; i < images.size(); i++) {
      starts[i + 1] += starts[i];
    }
    if (count > 0 && starts[images.size()] == 0) {
      throw FormatException.in(
          file,
          "no annotation is of an image in the list of images: an annotation's image_id is %s, an image's id %s"
              .formatted(
                  idsOfImages.inWords(idsOfImages.number(imageIds[0])),
                  idsOfImages.inWords(images.get(0).id())));
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

  long checksum() {
    return checksum;
  }

  /** Returns the categories, sorted by id. */
  List<CocoDataset.Category> categories() {
    return List.copyOf(categories);
  }

  int imageCount() {
    return images.size();
  }

  CocoImage image(int number) {
    return images.get(number);
  }

  /** Returns the indexes of an image's annotations, in the order of the file. */
  int[] annotations(int image, boolean withCrowds) {
    return IntStream.range(starts[image], starts[image + 1])
        .map(i -> order[i])
        .filter(i -> withCrowds || !crowds.get(i))
        .toArray();
  }

  void requireUsable(int annotation) throws FormatException {
    String problem = unusable.get(annotation);
    if (problem != null) {
      throw new FormatException("annotations[%d]: %s".formatted(annotation, problem));
    }
  }

  int mostKeyPoints() {
    return mostKeyPoints;
  }

  Ids idsOfImages() {
    return idsOfImages;
  }

  boolean isCrowd(int annotation) {
    return crowds.get(annotation);
  }

  long category(int annotation) {
    return annotationCategories[annotation];
  }

  /** Copies x, y, width and height of a box. */
  void box(int annotation, float[] target, int at) {
    System.arraycopy(boxes, 4 * annotation, target, at, 4);
  }

  Reader part(int annotation) {
    return bytes.at(places[annotation]);
  }
}

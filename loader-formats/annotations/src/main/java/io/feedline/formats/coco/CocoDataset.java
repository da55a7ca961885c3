package io.feedline.formats.coco;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.coco.CocoFile.Parts;
import io.feedline.formats.coco.CocoImages.SampleMaker;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.InstanceMasks;
import io.feedline.formats.image.KeyPoints;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.store.internal.samples.FileSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A dataset of COCO's images in the order of their ids, with their annotations: boxes ({@link
 * #detection}, as torchvision's {@code CocoDetection}), boxes and masks ({@link #instances}), boxes
 * and key points ({@link #keyPoints}), or sentences ({@link #captions}, as torchvision's {@code
 * CocoCaptions}).
 *
 * <pre>{@code
 * Dataset<CocoDataset.Detection> train =
 *     CocoDataset.detection(Path.of("train2017"), Path.of("annotations/instances_train2017.json"))
 *         .map(JointTransform.of(augment));
 * }</pre>
 *
 * <p>The annotations are in memory: a box takes some 40 bytes, a person's key points 100, the masks
 * of COCO's training set 170 MB, captions as many bytes as they have letters. An image is read when
 * its sample is read. Immutable and thread-safe; keeps no file open.
 *
 * @param <S> a sample
 */
public final class CocoDataset<S> implements ReadAheadDataset<S> {

  private final FileSamples files = new FileSamples();
  private final String kind;
  private final CocoImages images;
  private final SampleMaker<S> maker;

  private CocoDataset(String kind, CocoImages images, SampleMaker<S> maker) {
    this.kind = kind;
    this.images = images;
    this.maker = maker;
  }

  /**
   * Returns all images with the boxes of their objects.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations the file of the annotations, such as {@code
   *     annotations/instances_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoDataset<Detection> detection(Path images, Path annotations) throws IOException {
    return detection(images, annotations, Options.DEFAULT);
  }

  /**
   * Returns selected images with boxes; see {@link #detection(Path, Path)}.
   *
   * @param options the selected images and annotations, the labels, and how images are decoded
   * @throws IOException if the annotations cannot be read or are damaged, or no image is selected
   */
  public static CocoDataset<Detection> detection(Path images, Path annotations, Options options)
      throws IOException {
    return new CocoDataset<>(
        "CocoDetection",
        new CocoImages(images, annotations, options, Parts.BOXES),
        (all, id, image, taken) ->
            new Detection(
                id, image, all.boxes(image, taken), all.labels(taken), all.crowds(taken)));
  }

  /**
   * Returns all images with the boxes and masks of their objects. Masks equal those of pycocotools
   * in each pixel. The file may contain masks as polygons, as runs in numbers or as runs in text. A
   * mask is painted when it is written into a batch.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations the file of the annotations, such as {@code
   *     annotations/instances_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoDataset<Instances> instances(Path images, Path annotations) throws IOException {
    return instances(images, annotations, Options.DEFAULT);
  }

  /**
   * Returns selected images with boxes and masks; see {@link #instances(Path, Path)}.
   *
   * @param options the selected images and annotations, the labels, and how images are decoded
   * @throws IOException if the annotations cannot be read or are damaged, or no image is selected
   */
  public static CocoDataset<Instances> instances(Path images, Path annotations, Options options)
      throws IOException {
    return new CocoDataset<>(
        "CocoInstances",
        new CocoImages(images, annotations, options, Parts.OUTLINES),
        CocoDataset::withMasks);
  }

  /**
   * Returns all images with the boxes and key points of people. {@link Category#keyPoints} names
   * the points. If categories have different numbers of points, every object has as many points as
   * the largest category; the additional points have the visibility 0.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations the file of the annotations, such as {@code
   *     annotations/person_keypoints_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoDataset<People> keyPoints(Path images, Path annotations) throws IOException {
    return keyPoints(images, annotations, Options.DEFAULT);
  }

  /**
   * Returns selected images with boxes and key points; see {@link #keyPoints(Path, Path)}.
   *
   * @param options the selected images and annotations, the labels, and how images are decoded
   * @throws IOException if the annotations cannot be read or are damaged, or no image is selected
   */
  public static CocoDataset<People> keyPoints(Path images, Path annotations, Options options)
      throws IOException {
    CocoImages all = new CocoImages(images, annotations, options, Parts.KEY_POINTS);
    int listed =
        all.categories().stream().mapToInt(each -> each.keyPoints().size()).max().orElse(0);
    int perObject = Math.max(1, listed > 0 ? listed : all.mostKeyPoints());
    return new CocoDataset<>(
        "CocoKeyPoints",
        all,
        (every, id, image, taken) -> withKeyPoints(every, id, image, taken, perObject));
  }

  /**
   * Returns all images with their captions.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations the file of the annotations, such as {@code
   *     annotations/captions_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoDataset<Captions> captions(Path images, Path annotations) throws IOException {
    return captions(images, annotations, Options.DEFAULT);
  }

  /**
   * Returns selected images with captions; see {@link #captions(Path, Path)}.
   *
   * @param options the selected images and annotations, the labels, and how images are decoded
   * @throws IOException if the annotations cannot be read or are damaged, or no image is selected
   */
  public static CocoDataset<Captions> captions(Path images, Path annotations, Options options)
      throws IOException {
    return new CocoDataset<>(
        "CocoCaptions",
        new CocoImages(images, annotations, options, Parts.CAPTIONS),
        (all, id, image, taken) ->
            new Captions(
                id,
                image,
                Arrays.stream(taken)
                    .mapToObj(i -> new String(all.part(i).bytes(), UTF_8))
                    .toList()));
  }

  private static Instances withMasks(CocoImages images, long id, Image image, int[] taken)
      throws FormatException {
    int width = image.width();
    int height = image.height();
    InstanceMasks masks =
        InstanceMasks.painted(
            taken.length,
            width,
            height,
            (object, mask) -> {
              try {
                Outlines.paint(images.part(taken[object]), height, width, mask);
              } catch (FormatException damaged) {
                throw damaged.at("%s, object %d".formatted(images.place(id), object));
              }
            });
    return new Instances(
        id, image, images.boxes(image, taken), images.labels(taken), images.crowds(taken), masks);
  }

  private static People withKeyPoints(
      CocoImages images, long id, Image image, int[] taken, int perObject) throws FormatException {
    float[] points = new float[2 * perObject * taken.length];
    long[] visibility = new long[perObject * taken.length];
    BoxLabels labels = images.labels(taken);
    for (int i = 0; i < taken.length; i++) {
      double[] triples = images.part(taken[i]).coordinates();
      int listed = images.keyPointsOf(taken[i]);
      int expected = listed > 0 ? listed : Math.min(perObject, triples.length / 3);
      // An object may lack annotated key points.
      if (triples.length != 0 && triples.length != 3 * expected) {
        throw new FormatException(
            "an object with %d numbers for key points, where its category has %d points of 3"
                .formatted(triples.length, expected));
      }
      for (int j = 0; 3 * j < triples.length; j++) {
        int point = i * perObject + j;
        points[2 * point] = (float) triples[3 * j];
        points[2 * point + 1] = (float) triples[3 * j + 1];
        visibility[point] = (long) triples[3 * j + 2];
        if (visibility[point] != triples[3 * j + 2]) {
          throw new FormatException(
              "a key point with the visibility %s; it is 0, 1 or 2".formatted(triples[3 * j + 2]));
        }
      }
    }
    return new People(
        id,
        image,
        images.boxes(image, taken),
        labels,
        images.crowds(taken),
        KeyPoints.ofObjects(points, perObject, image.width(), image.height()),
        BoxLabels.ofRows(visibility, perObject));
  }

  /** Returns the categories, in the order of their ids; unmodifiable. */
  public List<Category> categories() {
    return images.categories();
  }

  /**
   * Returns the ids of the images if the file writes ids as texts, ordered by code points. The
   * {@code id} of a sample is then an index in this list. Empty if the ids are numbers, with or
   * without quotes. Unmodifiable.
   */
  public List<String> textIds() {
    return images.textIds();
  }

  /** Returns the options of this dataset. */
  public Options options() {
    return images.options();
  }

  @Override
  public long size() {
    return images.size();
  }

  /**
   * Reads a sample's image, which is decoded when it is written into a batch.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if image or annotations are damaged; the message names them
   * @throws IOException if the image cannot be read
   */
  @Override
  public S get(long index) throws IOException {
    byte[] encoded = files.read(images.path(Objects.checkIndex(index, size())));
    return images.sample(index, encoded, maker);
  }

  @Override
  public List<FileRange> parts(long index) {
    return FileSamples.whole(images.path(index));
  }

  @Override
  public Path anyFile() {
    return images.path(0);
  }

  /** Returns the image's path, or {@code index 7} for an index 7 that is out of range. */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : images.path(index).toString();
  }

  /** Returns the name of the dataset: its kind, and the file of its annotations. */
  @Override
  public String name() {
    return "%s(%s)".formatted(kind, images.file());
  }

  /** Returns the size and a checksum of the annotations, and the options of the selection. */
  @Override
  public String fingerprint() {
    return images.fingerprint(kind);
  }

  @Override
  public String toString() {
    return name();
  }

  /**
   * An image with the boxes of its n objects; n may be 0.
   *
   * @param id the image's id in the file, or its index in {@link #textIds} if ids are texts
   * @param image the image, not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), the ids of the objects' categories, or the categories' indices with
   *     {@link Options#withContiguousLabels}
   * @param crowds INT64 (n), 1 for a crowd of objects, 0 for a single object
   */
  public record Detection(
      long id, Image image, BoundingBoxes boxes, BoxLabels labels, BoxLabels crowds) {}

  /**
   * An image with the boxes and masks of its n objects; n may be 0.
   *
   * @param id the image's id in the file, or its index in {@link #textIds} if ids are texts
   * @param image the image, not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), the ids of the objects' categories, or the categories' indices with
   *     {@link Options#withContiguousLabels}
   * @param crowds INT64 (n), 1 for a crowd of objects, 0 for a single object
   * @param masks UINT8 (n, height, width), 1 where the object is
   */
  public record Instances(
      long id,
      Image image,
      BoundingBoxes boxes,
      BoxLabels labels,
      BoxLabels crowds,
      InstanceMasks masks) {}

  /**
   * An image with the boxes and the k key points of each of its n people; n may be 0.
   *
   * @param id the image's id in the file, or its index in {@link #textIds} if ids are texts
   * @param image the image, not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), the ids of the objects' categories, or the categories' indices with
   *     {@link Options#withContiguousLabels}
   * @param crowds INT64 (n), 1 for a crowd of objects, 0 for a single object
   * @param points FLOAT32 (n, k, 2), x and y in pixels; 0 and 0 for a point that is not annotated
   * @param visibility INT64 (n, k): 0: not annotated, 1: hidden point, 2: visible point
   */
  public record People(
      long id,
      Image image,
      BoundingBoxes boxes,
      BoxLabels labels,
      BoxLabels crowds,
      KeyPoints points,
      BoxLabels visibility) {}

  /**
   * An image and its captions.
   *
   * @param id the image's id in the file, or its index in {@link #textIds} if ids are texts
   * @param image the image, not decoded yet
   * @param captions the captions in the order of the file, five or more in COCO; unmodifiable
   */
  public record Captions(long id, Image image, List<String> captions) {

    public Captions {
      captions = List.copyOf(captions);
    }
  }

  /**
   * A category of COCO's annotations.
   *
   * @param id the id in the file; COCO's 80 classes have ids from 1 to 90, with gaps. If the file
   *     writes ids as texts, the index of the text in the order of all texts
   * @param name the name, such as {@code person}
   * @param keyPoints the key points' names in order, unmodifiable; empty if the file lists none
   */
  public record Category(long id, String name, List<String> keyPoints) {

    public Category {
      keyPoints = List.copyOf(keyPoints);
    }

    Category withId(long other) {
      return new Category(other, name, keyPoints);
    }
  }

  /**
   * The selection of COCO's annotations, their labels, and how images are decoded. Immutable.
   *
   * @param crowds whether annotations of crowds are included; a crowd is one mask of many
   *     instances. True by default
   * @param unannotated whether images without a selected annotation are included; true by default
   * @param contiguous whether a label is the index of its category in the order of the ids, from 0,
   *     instead of the id; false by default
   * @param decode how images are decoded; {@link DecodeOptions#DEFAULT} by default
   */
  public record Options(
      boolean crowds, boolean unannotated, boolean contiguous, DecodeOptions decode) {

    /** Options with all annotations and images, and ids as labels, as in torchvision. */
    public static final Options DEFAULT = new Options(true, true, false, DecodeOptions.DEFAULT);

    public Options {
      Objects.requireNonNull(decode, "decode");
    }

    /** Returns these options without crowds. */
    public Options withoutCrowds() {
      return new Options(false, unannotated, contiguous, decode);
    }

    /** Returns these options without images that have no annotation. */
    public Options withoutUnannotated() {
      return new Options(crowds, false, contiguous, decode);
    }

    /** Returns these options with labels that count from 0 without gaps. */
    public Options withContiguousLabels() {
      return new Options(crowds, unannotated, true, decode);
    }

    /**
     * Returns these options with other decode options, such as {@link
     * DecodeOptions#withExifRotation} for annotations that were made on turned photographs.
     */
    public Options withDecode(DecodeOptions other) {
      return new Options(crowds, unannotated, contiguous, other);
    }
  }
}

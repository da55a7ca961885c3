package io.feedline.formats.coco;

import io.feedline.data.FormatException;
import io.feedline.formats.coco.AnnotationBytes.Reader;
import io.feedline.formats.coco.CocoFile.CocoImage;
import io.feedline.formats.coco.CocoFile.Parts;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.store.internal.samples.FileSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** The images of a file of annotations, in the order of their ids. */
abstract class CocoSamples<T> extends FileSamples<T> {

  /** Larger than the side of any image. */
  private static final double MOST = 1 << 24;

  private final Path directory;
  private final CocoFile annotations;
  private final CocoOptions options;
  private final List<CocoDetection.Category> categories;
  private final long[] categoryIds;

  /** Which of the file's images are taken. */
  private final int[] images;

  /** The paths of their files below the directory. */
  private final String[] names;

  CocoSamples(Path directory, Path file, CocoOptions options, Parts parts) throws IOException {
    this.directory = directory;
    this.options = options;
    this.annotations = CocoFile.read(file, parts);
    this.categories = annotations.categories();
    this.categoryIds = categories.stream().mapToLong(CocoDetection.Category::id).toArray();
    this.images =
        IntStream.range(0, annotations.imageCount())
            .filter(i -> options.unannotated() || ofImage(i).length > 0)
            .toArray();
    if (images.length == 0) {
      throw FormatException.in(file, "there are no images with annotations");
    }
    this.names = new String[images.length];
    for (int i = 0; i < names.length; i++) {
      CocoImage image = annotations.image(images[i]);
      try {
        names[i] = below(directory, image.name());
      } catch (FormatException elsewhere) {
        throw elsewhere.at(place(image.id()));
      }
    }
  }

  private int[] ofImage(int image) {
    return annotations.annotations(image, options.crowds());
  }

  /** Returns the categories, in the order of their ids; unmodifiable. */
  public final List<CocoDetection.Category> categories() {
    return categories;
  }

  /**
   * Returns the ids of the images that are texts in the file, by code points: a sample's id is the
   * place in this list. Empty if the ids are numbers, also in quotes. Unmodifiable.
   */
  public final List<String> textIds() {
    return annotations.idsOfImages().texts();
  }

  /** Returns which annotations are taken, and what labels are. */
  public final CocoOptions options() {
    return options;
  }

  @Override
  public final long size() {
    return images.length;
  }

  @Override
  protected final List<Path> files(long index) {
    return List.of(directory.resolve(names[(int) index]));
  }

  @Override
  protected final T sample(long index, List<Path> paths) throws IOException {
    int number = images[(int) index];
    CocoImage described = annotations.image(number);
    Image image = Image.ofEncoded(bytes(paths.get(0)), paths.get(0).toString(), options.decode());
    if (described.width() > 0 && described.height() > 0) {
      image.requireSize(described.width(), described.height(), annotations.file().toString());
    }
    int[] taken = ofImage(number);
    try {
      for (int annotation : taken) {
        annotations.requireUsable(annotation);
      }
      return sample(described.id(), image, taken);
    } catch (FormatException damaged) {
      throw damaged.at(place(described.id()));
    }
  }

  /** Makes the sample of an image. */
  abstract T sample(long id, Image image, int[] taken) throws IOException;

  /** Returns the place of an image's annotations, for errors. */
  final String place(long id) {
    return annotations.file() + ", image " + annotations.idsOfImages().inWords(id);
  }

  /**
   * The boxes of annotations.
   *
   * @throws FormatException if one lies beyond any image, or has a size below 0
   */
  final BoundingBoxes boxes(Image image, int... taken) throws FormatException {
    float[] boxes = new float[4 * taken.length];
    for (int i = 0; i < taken.length; i++) {
      annotations.box(taken[i], boxes, 4 * i);
      for (int side = 4 * i; side < 4 * i + 4; side++) {
        boolean isSize = side % 4 >= 2;
        if (Math.abs(boxes[side]) > MOST || (isSize && boxes[side] < 0)) {
          throw new FormatException(
              "a box with the %s %s".formatted(isSize ? "size" : "corner", boxes[side]));
        }
      }
    }
    return BoundingBoxes.of(boxes, BoundingBoxes.Format.XYWH, image.width(), image.height())
        .convert(BoundingBoxes.Format.XYXY);
  }

  final BoxLabels labels(int... taken) throws FormatException {
    long[] labels = new long[taken.length];
    for (int i = 0; i < labels.length; i++) {
      long id = annotations.category(taken[i]);
      labels[i] = options.contiguous() ? Arrays.binarySearch(categoryIds, id) : id;
      if (options.contiguous() && labels[i] < 0) {
        throw new FormatException("category %d is not listed".formatted(id));
      }
    }
    return BoxLabels.of(labels);
  }

  final BoxLabels crowds(int... taken) {
    return BoxLabels.of(
        Arrays.stream(taken).mapToLong(i -> annotations.isCrowd(i) ? 1 : 0).toArray());
  }

  /** Returns how many key points the category of an annotation lists; 0 if it has no list. */
  final int keyPointsOf(int annotation) {
    int index = Arrays.binarySearch(categoryIds, annotations.category(annotation));
    return index < 0 ? 0 : categories.get(index).keyPoints().size();
  }

  /** Returns the largest number of key points of an annotation. */
  final int mostKeyPoints() {
    return annotations.mostKeyPoints();
  }

  /** Returns a reader of the parts of an annotation that vary in length. */
  final Reader part(int annotation) {
    return annotations.part(annotation);
  }

  /** Returns the name of the dataset: its kind, and the file of its annotations. */
  @Override
  public final String name() {
    return "%s(%s)".formatted(getClass().getSimpleName(), annotations.file());
  }

  /** Returns a checksum of the annotations, and what is taken of them. */
  @Override
  public final String fingerprint() {
    return String.format(
        Locale.ROOT,
        "%s:%d:%08x:%d%d%d",
        getClass().getSimpleName(),
        size(),
        annotations.checksum(),
        options.crowds() ? 1 : 0,
        options.unannotated() ? 1 : 0,
        options.contiguous() ? 1 : 0);
  }
}

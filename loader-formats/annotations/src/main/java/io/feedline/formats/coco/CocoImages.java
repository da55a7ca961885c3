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
import java.util.Objects;
import java.util.stream.IntStream;

/** The images of a file of annotations, in the order of their ids, with their descriptions. */
final class CocoImages {

  /** The largest coordinate of a box; no image has a side of this length. */
  private static final double MOST = 1 << 24;

  private final Path directory;
  private final CocoFile annotations;
  private final CocoDataset.Options options;
  private final List<CocoDataset.Category> categories;
  private final long[] categoryIds;

  /** The index of each selected image in {@link #annotations}. */
  private final int[] images;

  /** The paths of the selected images below the directory. */
  private final String[] names;

  CocoImages(Path directory, Path file, CocoDataset.Options options, Parts parts)
      throws IOException {
    this.directory = Objects.requireNonNull(directory, "images");
    this.options = options;
    this.annotations = CocoFile.read(file, parts);
    this.categories = annotations.categories();
    this.categoryIds = categories.stream().mapToLong(CocoDataset.Category::id).toArray();
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
        names[i] = FileSamples.below(directory, image.name());
      } catch (FormatException elsewhere) {
        throw elsewhere.at(place(image.id()));
      }
    }
  }

  private int[] ofImage(int image) {
    return annotations.annotations(image, options.crowds());
  }

  List<CocoDataset.Category> categories() {
    return categories;
  }

  List<String> textIds() {
    return annotations.idsOfImages().texts();
  }

  CocoDataset.Options options() {
    return options;
  }

  int size() {
    return images.length;
  }

  Path path(long index) {
    return directory.resolve(names[(int) index]);
  }

  Path file() {
    return annotations.file();
  }

  /**
   * @param encoded the bytes of the image's file
   * @throws FormatException if image or annotations are damaged, or have different image sizes
   */
  <S> S sample(long index, byte[] encoded, SampleMaker<S> maker) throws IOException {
    int number = images[(int) index];
    CocoImage described = annotations.image(number);
    Image image = Image.ofEncoded(encoded, path(index).toString(), options.decode());
    if (described.width() > 0 && described.height() > 0) {
      image.requireSize(described.width(), described.height(), annotations.file().toString());
    }
    int[] taken = ofImage(number);
    try {
      for (int annotation : taken) {
        annotations.requireUsable(annotation);
      }
      return maker.sample(this, described.id(), image, taken);
    } catch (FormatException damaged) {
      throw damaged.at(place(described.id()));
    }
  }

  interface SampleMaker<S> {
    S sample(CocoImages images, long id, Image image, int[] taken) throws IOException;
  }

  /** Returns the annotations' file and an image's id, for errors. */
  String place(long id) {
    return annotations.file() + ", image " + annotations.idsOfImages().inWords(id);
  }

  /** Returns the boxes as XYXY; fails if a box lies beyond any image, or has a size below 0. */
  BoundingBoxes boxes(Image image, int... taken) throws FormatException {
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

  BoxLabels labels(int... taken) throws FormatException {
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

  BoxLabels crowds(int... taken) {
    return BoxLabels.of(
        Arrays.stream(taken).mapToLong(i -> annotations.isCrowd(i) ? 1 : 0).toArray());
  }

  /** Returns the number of key points of an annotation's category; 0 if the category lists none. */
  int keyPointsOf(int annotation) {
    int index = Arrays.binarySearch(categoryIds, annotations.category(annotation));
    return index < 0 ? 0 : categories.get(index).keyPoints().size();
  }

  int mostKeyPoints() {
    return annotations.mostKeyPoints();
  }

  Reader part(int annotation) {
    return annotations.part(annotation);
  }

  String fingerprint(String kind) {
    return String.format(
        Locale.ROOT,
        "%s:%d:%08x:%d%d%d",
        kind,
        size(),
        annotations.checksum(),
        options.crowds() ? 1 : 0,
        options.unannotated() ? 1 : 0,
        options.contiguous() ? 1 : 0);
  }
}

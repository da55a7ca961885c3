package io.feedline.formats.voc;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.data.SampleReader.ReadAheadDataset;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.store.internal.samples.FileSamples;
import io.feedline.formats.voc.VocAnnotation.VocObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A dataset of the images of PASCAL VOC with the boxes of their objects ({@link #detection}, as
 * torchvision's {@code VOCDetection}), or with a class for each pixel ({@link #segmentation}, as
 * {@code VOCSegmentation}).
 *
 * <pre>{@code
 * Dataset<VocDataset.Detection> train =
 *     VocDataset.detection(Path.of("VOCdevkit/VOC2012"), "train").map(JointTransform.of(augment));
 * }</pre>
 *
 * <p><b>File layout.</b> {@code ImageSets/Main/train.txt}, or {@code
 * ImageSets/Segmentation/train.txt}, lists names. {@code JPEGImages/NAME.jpg} is the image, and
 * {@code Annotations/NAME.xml} contains its objects. {@code SegmentationClass/NAME.png} is a
 * palette image whose pixels are numbers of classes. {@code SegmentationObject/NAME.png} is a
 * palette image whose pixels are numbers of objects. Other data sets with this layout need {@link
 * Options#withClasses}.
 *
 * <p><b>Values of boxes.</b> Boxes are left, top, right, bottom with the file's numbers, as in
 * torchvision. VOC counts pixels from 1, and includes the right and the bottom pixels. A label is
 * the index of the class in {@link #classes}: aeroplane is 1, since 0 is the background. An image's
 * size must equal the annotation's {@code <size>}, unless {@code <size>} is 0.
 *
 * <p><b>Values of masks.</b> 0 is the background, 1 to 20 are the {@link #classes}, and {@link
 * #IGNORED} marks pixels that a loss ignores, such as the outlines of objects.
 *
 * <p>An annotation is read when its sample is read. Immutable and thread-safe; keeps no file open.
 *
 * @param <S> a sample
 */
public final class VocDataset<S> implements ReadAheadDataset<S> {

  /** The value of VOC's masks for pixels without a right answer. */
  public static final int IGNORED = 255;

  /** VOC's classes by label; 0 is the background. */
  private static final List<String> CLASSES =
      List.of(
          ("__background__ aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog"
                  + " horse motorbike person pottedplant sheep sofa train tvmonitor")
              .split(" ", -1));

  private final String kind;
  private final VocFiles files;
  private final Options options;
  private final String choice;
  private final SampleMaker<S> maker;

  private VocDataset(
      String kind, VocFiles files, Options options, String choice, SampleMaker<S> maker) {
    this.kind = kind;
    this.files = files;
    this.options = options;
    this.choice = choice;
    this.maker = maker;
  }

  private interface SampleMaker<S> {
    S sample(long index) throws IOException;
  }

  /**
   * Returns the images of a list, with all of their objects.
   *
   * @param directory the directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set the list: {@code train}, {@code val}, {@code trainval} or {@code test}
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or is a list of a single class
   * @throws IOException if the list cannot be read
   */
  public static VocDataset<Detection> detection(Path directory, String set) throws IOException {
    return detection(directory, set, Options.DEFAULT);
  }

  /**
   * Returns the images of a list with selected objects; see {@link #detection(Path, String)}.
   *
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or is a list of a single class
   * @throws IOException if the list cannot be read
   */
  public static VocDataset<Detection> detection(Path directory, String set, Options options)
      throws IOException {
    VocFiles files = new VocFiles(directory, "Main", set, "Annotations", ".xml", options.decode());
    String choice = "" + options.classes() + options.difficult() + options.truncated();
    return new VocDataset<>(
        "VocDetection", files, options, choice, index -> detected(files, index, options));
  }

  private static Detection detected(VocFiles files, long index, Options options)
      throws IOException {
    Image image = files.readImage(index);
    try {
      VocAnnotation annotation = VocAnnotation.parse(files.readOther(index));
      if (annotation.width() > 0 && annotation.height() > 0) {
        image.requireSize(annotation.width(), annotation.height(), "its <size>");
      }
      List<VocObject> objects =
          annotation.objects().stream()
              .filter(
                  each ->
                      (options.difficult() || !each.difficult())
                          && (options.truncated() || !each.truncated()))
              .toList();
      float[] boxes = new float[4 * objects.size()];
      long[] labels = new long[objects.size()];
      long[] hard = new long[objects.size()];
      for (int i = 0; i < labels.length; i++) {
        VocObject object = objects.get(i);
        System.arraycopy(object.box(), 0, boxes, 4 * i, 4);
        labels[i] = options.label(object.name());
        hard[i] = object.difficult() ? 1 : 0;
      }
      return new Detection(
          image,
          BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, image.width(), image.height()),
          BoxLabels.of(labels),
          BoxLabels.of(hard));
    } catch (FormatException damaged) {
      throw damaged.at(files.other(index).toString());
    }
  }

  /**
   * Returns the images of a list with the class of each pixel.
   *
   * @param directory the directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set the list: {@code train}, {@code val} or {@code trainval}
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or is a list of a single class
   * @throws IOException if the list cannot be read
   */
  public static VocDataset<Segmentation> segmentation(Path directory, String set)
      throws IOException {
    return segmentation(directory, set, Options.DEFAULT);
  }

  /**
   * Returns the images of a list with each pixel's class; see {@link #segmentation(Path, String)}.
   *
   * @param options the classes, and how images are decoded. {@link DecodeOptions#withExifRotation}
   *     turns a mask by the orientation in the mask's own file
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or is a list of a single class
   * @throws IOException if the list cannot be read
   */
  public static VocDataset<Segmentation> segmentation(Path directory, String set, Options options)
      throws IOException {
    return segmented(directory, set, options, "SegmentationClass");
  }

  /**
   * Returns the images of a list with a number for each object instead of its class.
   *
   * @param directory the directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set the list: {@code train}, {@code val} or {@code trainval}
   * @param options the classes, and how images are decoded. {@link DecodeOptions#withExifRotation}
   *     turns a mask by the orientation in the mask's own file
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or is a list of a single class
   * @throws IOException if the list cannot be read
   */
  public static VocDataset<Segmentation> objects(Path directory, String set, Options options)
      throws IOException {
    return segmented(directory, set, options, "SegmentationObject");
  }

  private static VocDataset<Segmentation> segmented(
      Path directory, String set, Options options, String masks) throws IOException {
    VocFiles files = new VocFiles(directory, "Segmentation", set, masks, ".png", options.decode());
    return new VocDataset<>(
        "VocSegmentation",
        files,
        options,
        "",
        index -> {
          Image image = files.readImage(index);
          String name = files.other(index).toString();
          Mask mask =
              Mask.ofEncoded(files.readOther(index), name, options.decode()).withFill(IGNORED);
          image.requireSize(mask.width(), mask.height(), "its mask " + name);
          return new Segmentation(image, mask);
        });
  }

  /** Returns the names of the classes by label; unmodifiable. */
  public List<String> classes() {
    return options.classes();
  }

  @Override
  public long size() {
    return files.size();
  }

  /**
   * Reads a sample's files; images are decoded when they are written into a batch.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws FormatException if a file is damaged; the message names the file
   * @throws IOException if a file cannot be read
   */
  @Override
  public S get(long index) throws IOException {
    return maker.sample(Objects.checkIndex(index, size()));
  }

  @Override
  public List<FileRange> parts(long index) {
    return FileSamples.whole(files.image(index), files.other(index));
  }

  @Override
  public Path anyFile() {
    return files.image(0);
  }

  /** Returns the image's path, or {@code index 7} for an index 7 that is out of range. */
  @Override
  public String describe(long index) {
    return index < 0 || index >= size() ? "index " + index : files.image(index).toString();
  }

  /** Returns the name of the dataset: its kind, directory and list. */
  @Override
  public String name() {
    return "%s(%s)".formatted(kind, files);
  }

  /** Returns the number of images, and a checksum of their names and of the options. */
  @Override
  public String fingerprint() {
    return files.fingerprint(kind, choice);
  }

  @Override
  public String toString() {
    return name();
  }

  /**
   * An image with the boxes of its n objects; n may be 0.
   *
   * @param image the image, not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), the index of each object's class in {@link #classes}
   * @param difficult INT64 (n), 1 for objects that VOC's evaluation leaves out, otherwise 0
   */
  public record Detection(
      Image image, BoundingBoxes boxes, BoxLabels labels, BoxLabels difficult) {}

  /**
   * An image, and the class (or the object's number) of each pixel.
   *
   * @param image the image, not decoded yet
   * @param mask UINT8 (height, width), not decoded yet; transforms add {@link #IGNORED} pixels
   */
  public record Segmentation(Image image, Mask mask) {}

  /**
   * The selection of VOC's objects, their labels, and how images are decoded. Immutable.
   *
   * @param classes the classes' names by label, copied; by default the background and VOC's 20
   * @param difficult whether objects are included that are marked as difficult; true by default
   * @param truncated whether objects are included that reach out of their boxes; true by default
   * @param decode how images are decoded; {@link DecodeOptions#DEFAULT} by default
   */
  public record Options(
      List<String> classes, boolean difficult, boolean truncated, DecodeOptions decode) {

    /** Options with all objects, and with VOC's classes. */
    public static final Options DEFAULT = new Options(CLASSES, true, true, DecodeOptions.DEFAULT);

    public Options {
      classes = List.copyOf(classes);
      Objects.requireNonNull(decode, "decode");
    }

    /** Returns these options with other names of the classes, by label. */
    public Options withClasses(List<String> names) {
      return new Options(names, difficult, truncated, decode);
    }

    /** Returns these options without objects that are marked as difficult. */
    public Options withoutDifficult() {
      return new Options(classes, false, truncated, decode);
    }

    /** Returns these options without objects that reach out of their boxes. */
    public Options withoutTruncated() {
      return new Options(classes, difficult, false, decode);
    }

    /**
     * Returns these options with other decode options. Boxes that were drawn on turned photographs
     * need {@link DecodeOptions#withExifRotation}.
     */
    public Options withDecode(DecodeOptions other) {
      return new Options(classes, difficult, truncated, other);
    }

    private int label(String name) throws FormatException {
      int label = classes.indexOf(name);
      if (label < 0) {
        throw new FormatException(
            "'%s' is none of the classes %s; withClasses(...) sets others"
                .formatted(name, classes));
      }
      return label;
    }
  }
}

package io.feedline.formats.voc;

import io.feedline.data.FormatException;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.BoxLabels;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.voc.VocAnnotation.VocObject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A dataset of the images of PASCAL VOC with the boxes of their objects: torchvision's {@code
 * VOCDetection}.
 *
 * <pre>{@code
 * Dataset<VocDetection.Sample> train =
 *     VocDetection.of(Path.of("VOCdevkit/VOC2012"), "train").map(JointTransform.of(augment));
 * }</pre>
 *
 * <p><b>File layout.</b> {@code ImageSets/Main/train.txt} lists names; {@code JPEGImages/NAME.jpg}
 * is the image, {@code Annotations/NAME.xml} has its objects. Sets that others made like this are
 * read, too, with {@link Builder#classes}.
 *
 * <p><b>Values.</b> Boxes are as they are in the file, left, top, right, bottom, as torchvision has
 * them; VOC counts pixels from 1, and includes the right and the bottom one. A label is the index
 * of the class in {@link #classes}: aeroplane is 1, since 0 is the background. An image whose size
 * is not the annotation's {@code <size>} is an error, unless that is 0.
 *
 * <p>Annotations are read with their samples. Immutable, thread-safe, and holds nothing open.
 */
public final class VocDetection extends VocFiles<VocDetection.Sample> {

  private final List<String> classes;
  private final boolean difficult;
  private final boolean truncated;

  private VocDetection(Builder builder) throws IOException {
    super(builder.directory, "Main", builder.set, "Annotations", ".xml", builder.decode);
    this.classes = builder.classes;
    this.difficult = builder.difficult;
    this.truncated = builder.truncated;
  }

  /**
   * An image and its objects, of which there may be none.
   *
   * @param image not decoded yet
   * @param boxes FLOAT32 (n, 4), XYXY
   * @param labels INT64 (n), the classes
   * @param difficult INT64 (n), 1 for what VOC's evaluation leaves out, and else 0
   */
  public record Sample(Image image, BoundingBoxes boxes, BoxLabels labels, BoxLabels difficult) {}

  /**
   * Returns the images of a list, with all of their objects.
   *
   * @param directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set {@code train}, {@code val}, {@code trainval} or {@code test}
   * @throws FileNotFoundException if there is no such list
   * @throws IOException if it cannot be read
   */
  public static VocDetection of(Path directory, String set) throws IOException {
    return builder(directory, set).build();
  }

  /**
   * Returns a builder for the images of a list.
   *
   * @param directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set {@code train}, {@code val}, {@code trainval} or {@code test}
   */
  public static Builder builder(Path directory, String set) {
    return new Builder(directory, set);
  }

  /** Returns the names of the classes by label; unmodifiable. */
  public List<String> classes() {
    return classes;
  }

  @Override
  protected Sample sample(long index, List<Path> paths) throws IOException {
    Image image = image(paths.get(0));
    try {
      VocAnnotation annotation = VocAnnotation.parse(bytes(paths.get(1)));
      if (annotation.width() > 0 && annotation.height() > 0) {
        image.requireSize(annotation.width(), annotation.height(), "its <size>");
      }
      List<VocObject> objects =
          annotation.objects().stream()
              .filter(each -> (difficult || !each.difficult()) && (truncated || !each.truncated()))
              .toList();
      float[] boxes = new float[4 * objects.size()];
      long[] labels = new long[objects.size()];
      long[] hard = new long[objects.size()];
      for (int i = 0; i < labels.length; i++) {
        VocObject object = objects.get(i);
        System.arraycopy(object.box(), 0, boxes, 4 * i, 4);
        labels[i] = label(object.name());
        hard[i] = object.difficult() ? 1 : 0;
      }
      return new Sample(
          image,
          BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, image.width(), image.height()),
          BoxLabels.of(labels),
          BoxLabels.of(hard));
    } catch (FormatException damaged) {
      throw damaged.at(paths.get(1).toString());
    }
  }

  private int label(String name) throws FormatException {
    int label = classes.indexOf(name);
    if (label < 0) {
      throw new FormatException(
          "'%s' is none of the classes %s; classes(...) sets others".formatted(name, classes));
    }
    return label;
  }

  @Override
  String choice() {
    return "" + classes + difficult + truncated;
  }

  /** Options; see {@link VocDetection#builder}. Not thread-safe. */
  public static final class Builder {
    private final Path directory;
    private final String set;
    private List<String> classes = CLASSES;
    private boolean difficult = true;
    private boolean truncated = true;
    private DecodeOptions decode = DecodeOptions.DEFAULT;

    private Builder(Path directory, String set) {
      this.directory = Objects.requireNonNull(directory, "directory");
      this.set = Objects.requireNonNull(set, "set");
    }

    /** Sets the names of the classes by label; VOC's 20 by default, from 1 on. */
    public Builder classes(List<String> classes) {
      this.classes = List.copyOf(classes);
      return this;
    }

    /** Leaves out objects that are marked as difficult. */
    public Builder withoutDifficult() {
      this.difficult = false;
      return this;
    }

    /** Leaves out objects that reach out of their boxes. */
    public Builder withoutTruncated() {
      this.truncated = false;
      return this;
    }

    /**
     * Sets how images are decoded; {@link DecodeOptions#DEFAULT} by default. Boxes that were drawn
     * on turned photographs need {@link DecodeOptions#withExifRotation}.
     */
    public Builder decode(DecodeOptions options) {
      this.decode = Objects.requireNonNull(options, "options");
      return this;
    }

    /**
     * Builds the dataset; reads the list.
     *
     * @throws FileNotFoundException if there is no such list
     * @throws FormatException if the list is empty, or one of a single class
     * @throws IOException if it cannot be read
     */
    public VocDetection build() throws IOException {
      return new VocDetection(this);
    }
  }
}

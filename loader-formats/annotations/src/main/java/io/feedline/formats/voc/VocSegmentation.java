package io.feedline.formats.voc;

import io.feedline.data.FormatException;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.codec.DecodeOptions;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A dataset of the images of PASCAL VOC with a class for each pixel: torchvision's {@code
 * VOCSegmentation}.
 *
 * <pre>{@code
 * Dataset<VocSegmentation.Sample> train =
 *     VocSegmentation.of(Path.of("VOCdevkit/VOC2012"), "train").map(JointTransform.of(augment));
 * }</pre>
 *
 * <p><b>File layout.</b> {@code ImageSets/Segmentation/train.txt} lists names; {@code
 * JPEGImages/NAME.jpg} is the image, {@code SegmentationClass/NAME.png} a palette image whose
 * numbers are the classes, {@code SegmentationObject/NAME.png} one whose numbers are the objects.
 *
 * <p><b>Values.</b> 0 is the background, 1 to 20 are the {@link #classes}, and 255 marks pixels
 * that a loss ignores, such as the outlines of objects.
 *
 * <p>Immutable, thread-safe, and holds nothing open.
 */
public final class VocSegmentation extends VocFiles<VocSegmentation.Sample> {

  /** The value of VOC's masks for pixels without a right answer. */
  public static final int IGNORED = 255;

  private VocSegmentation(Path directory, String set, String masks, DecodeOptions options)
      throws IOException {
    super(directory, "Segmentation", set, masks, ".png", options);
  }

  /**
   * An image and the classes of its pixels.
   *
   * @param image not decoded yet
   * @param mask UINT8 (height, width), not decoded yet; what comes from outside is {@link #IGNORED}
   */
  public record Sample(Image image, Mask mask) {}

  /**
   * Returns the images of a list with their classes.
   *
   * @param directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set {@code train}, {@code val} or {@code trainval}
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or one of a single class
   * @throws IOException if it cannot be read
   */
  public static VocSegmentation of(Path directory, String set) throws IOException {
    return of(directory, set, DecodeOptions.DEFAULT);
  }

  /**
   * Returns the images of a list with their classes.
   *
   * @param directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set {@code train}, {@code val} or {@code trainval}
   * @param options how images are decoded; masks are turned by their own EXIF orientation, if any
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or one of a single class
   * @throws IOException if it cannot be read
   */
  public static VocSegmentation of(Path directory, String set, DecodeOptions options)
      throws IOException {
    return new VocSegmentation(directory, set, "SegmentationClass", options);
  }

  /**
   * Returns the images of a list with a number for each object instead of its class.
   *
   * @param directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set {@code train}, {@code val} or {@code trainval}
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or one of a single class
   * @throws IOException if it cannot be read
   */
  public static VocSegmentation objects(Path directory, String set) throws IOException {
    return objects(directory, set, DecodeOptions.DEFAULT);
  }

  /**
   * Returns the images of a list with a number for each object instead of its class.
   *
   * @param directory of a year, such as {@code VOCdevkit/VOC2012}
   * @param set {@code train}, {@code val} or {@code trainval}
   * @param options how images are decoded; masks are turned by their own EXIF orientation, if any
   * @throws FileNotFoundException if there is no such list
   * @throws FormatException if the list is empty, or one of a single class
   * @throws IOException if it cannot be read
   */
  public static VocSegmentation objects(Path directory, String set, DecodeOptions options)
      throws IOException {
    return new VocSegmentation(directory, set, "SegmentationObject", options);
  }

  /** Returns the names of the classes by their numbers in masks; unmodifiable. */
  public List<String> classes() {
    return CLASSES;
  }

  @Override
  protected Sample sample(long index, List<Path> paths) throws IOException {
    Image image = image(paths.get(0));
    Mask mask =
        Mask.ofEncoded(bytes(paths.get(1)), paths.get(1).toString(), options()).withFill(IGNORED);
    image.requireSize(mask.width(), mask.height(), "its mask " + paths.get(1));
    return new Sample(image, mask);
  }
}

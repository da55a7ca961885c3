package io.feedline.formats.cli.internal.command;

import io.feedline.batch.DType;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomIoUCrop;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.internal.Json;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The pipeline of images that a loader runs.
 *
 * @param imageSize the side of the square images that the pipeline makes, in pixels
 * @param floats the pipeline whose images become floats in the batch
 * @param bytes the pipeline whose images become bytes in the batch, which the device normalizes;
 *     for a user's own pipeline the same object as {@code floats}
 */
public record PipelineOptions(
    String name,
    int imageSize,
    RandomTransform<Image, Image> floats,
    RandomTransform<Image, Image> bytes) {

  private static final Set<String> GIVEN = Set.of("train", "val", "detection");

  /** The number of boxes that a test image gets: seven, the average in COCO. */
  private static final int BOXES = 7;

  /**
   * Returns the pipeline of a name.
   *
   * @param name {@code train}, {@code val}, {@code detection}, a file with the text of {@link
   *     Transforms#toJson}, or the class name of a {@link Transform} or {@link RandomTransform} of
   *     images with a public constructor without parameters
   * @param images one or more images; a user's own pipeline is tried on the first
   * @throws IllegalArgumentException if there is no such class, or the file names an unknown
   *     transform; the message says how to correct it
   */
  public static PipelineOptions of(String name, int imageSize, ImageDataset images)
      throws Exception {
    if (GIVEN.contains(name)) {
      RandomTransform<Image, Image> geometry = geometry(name, imageSize);
      return new PipelineOptions(
          name,
          imageSize,
          geometry.andThen(Normalize.imagenet()),
          geometry.andThen(ToTensor.of(DType.UINT8)));
    }
    RandomTransform<Image, Image> own = name.endsWith(".json") ? read(name) : own(name);
    images.withTransform(own).get(0, new SampleContext(0, 0, 0));
    return new PipelineOptions(name, imageSize, own, own);
  }

  /** Returns the transforms of train, val or detection that precede the normalization. */
  public static RandomTransform<Image, Image> geometry(String name, int imageSize) {
    return switch (name) {
      case "train" -> RandomResizedCrop.of(imageSize).andThen(RandomHorizontalFlip.of());
      case "val" ->
          RandomTransform.from(Resize.of(shorterSide(imageSize)).andThen(CenterCrop.of(imageSize)));
      default -> detection(imageSize);
    };
  }

  /** Returns the shorter side to which an image is resized before the center crop: 256 for 224. */
  public static int shorterSide(int imageSize) {
    return (int) Math.round(imageSize * 256.0 / 224);
  }

  /** Returns a detector's pipeline. It makes random boxes, since stores of images have no boxes. */
  private static RandomTransform<Image, Image> detection(int imageSize) {
    RandomTransform<List<Object>, List<Object>> joint =
        JointTransform.of(
            RandomIoUCrop.of()
                .andThen(Resize.of(imageSize, imageSize))
                .andThen(RandomHorizontalFlip.of())
                .andThen(SanitizeBoundingBoxes.of()));
    return (image, random) ->
        (Image) joint.apply(List.of(image, boxes(image, random)), random).get(0);
  }

  private static BoundingBoxes boxes(Image image, RandomGenerator random) {
    float[] corners = new float[4 * BOXES];
    for (int i = 0; i < corners.length; i += 4) {
      between(random, image.width(), corners, i);
      between(random, image.height(), corners, i + 1);
    }
    return BoundingBoxes.of(corners, BoundingBoxes.Format.XYXY, image.width(), image.height());
  }

  private static void between(RandomGenerator random, int side, float[] corners, int at) {
    float from = random.nextFloat() * side;
    float to = random.nextFloat() * side;
    corners[at] = Math.min(from, to);
    corners[at + 2] = Math.max(from, to);
  }

  private static RandomTransform<Image, Image> read(String file) throws IOException {
    String text = Files.readString(new PathOrUri().convert(file));
    try {
      Map<String, Object> members = Json.read(text);
      // A file that Preprocessor.save wrote contains the pipeline's text and the class names.
      boolean isSaved = members.containsKey("pipeline");
      return named(file, Transforms.fromJson(isSaved ? Json.write(members.get("pipeline")) : text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("--pipeline %s: %s".formatted(file, e.getMessage()), e);
    }
  }

  @SuppressWarnings("unchecked")
  private static RandomTransform<Image, Image> own(String name) {
    Object made;
    try {
      made = Class.forName(name).getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "--pipeline must be train, val, detection, a .json file, or a class on the class path; there is no class %s: run java -cp feedline.jar:YOURS.jar io.feedline.formats.cli.Feedline doctor ..."
              .formatted(name),
          e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalArgumentException(
          "--pipeline %s: the class needs a public constructor without parameters, which must not fail: %s"
              .formatted(name, e),
          e);
    }
    if (made instanceof Transform<?, ?> transform) {
      return named(name, RandomTransform.from((Transform<Image, Image>) transform));
    }
    if (made instanceof RandomTransform<?, ?> random) {
      return named(name, (RandomTransform<Image, Image>) random);
    }
    throw new IllegalArgumentException(
        "--pipeline %s: the class must be a Transform or a RandomTransform from Image to Image"
            .formatted(name));
  }

  /** Wraps the user's pipeline, so that its exceptions name the class and the image. */
  private static RandomTransform<Image, Image> named(
      String name, RandomTransform<Image, Image> own) {
    return (image, random) -> {
      try {
        return Objects.requireNonNull(own.apply(image, random), "it returned null");
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception | LinkageError e) {
        throw failed(name, image.toString(), e);
      }
    };
  }

  private static IllegalStateException failed(String name, String where, Throwable e) {
    return new IllegalStateException(
        "the pipeline %s failed for %s: %s; java -Dfeedline.stacktrace=true shows where"
            .formatted(name, where, e),
        e);
  }

  public boolean isOwn() {
    return !GIVEN.contains(name);
  }

  public PipelineOptions asBytes() {
    return new PipelineOptions(name, imageSize, bytes, bytes);
  }

  public ImageDataset of(ImageDataset images) {
    return images.withTransform(floats);
  }

  /** Returns a loader's failure, naming the user's pipeline if the pipeline has failed. */
  public RuntimeException named(LoaderException failure) {
    boolean read = failure.getCause() == null || failure.getCause() instanceof IOException;
    return isOwn() && !read ? failed(name, failure.description(), failure.getCause()) : failure;
  }
}

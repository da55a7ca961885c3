package io.feedline.formats.coco;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.coco.CocoFile.Parts;
import io.feedline.formats.image.Image;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A dataset of COCO's images with sentences about them: torchvision's {@code CocoCaptions}, in the
 * order of the images' ids.
 *
 * <p>The annotations are in memory, as many bytes as they have letters; images are read with their
 * samples. Immutable, thread-safe, and holds nothing open.
 */
public final class CocoCaptions extends CocoSamples<CocoCaptions.Sample> {

  private CocoCaptions(Path images, Path annotations, CocoOptions options) throws IOException {
    super(images, annotations, options, Parts.CAPTIONS);
  }

  /**
   * An image and its captions.
   *
   * @param id of the image in the file; of ids that are texts the place in {@link #textIds}
   * @param image not decoded yet
   * @param captions in the order of the file, of COCO five or more; unmodifiable
   */
  public record Sample(long id, Image image, List<String> captions) {

    /** Copies the list. */
    public Sample {
      captions = List.copyOf(captions);
    }
  }

  /**
   * Returns all images, with all of their annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/captions_train2017.json}
   * @throws IOException if the annotations cannot be read, or are damaged
   */
  public static CocoCaptions of(Path images, Path annotations) throws IOException {
    return of(images, annotations, CocoOptions.DEFAULT);
  }

  /**
   * Returns images with a choice of annotations.
   *
   * @param images the directory of the images, such as {@code train2017}
   * @param annotations such as {@code annotations/captions_train2017.json}
   * @param options which annotations are taken
   * @throws IOException if the annotations cannot be read, are damaged, or none is taken
   */
  public static CocoCaptions of(Path images, Path annotations, CocoOptions options)
      throws IOException {
    return new CocoCaptions(Objects.requireNonNull(images, "images"), annotations, options);
  }

  @Override
  Sample sample(long id, Image image, int[] taken) throws IOException {
    return new Sample(
        id, image, Arrays.stream(taken).mapToObj(i -> new String(part(i).bytes(), UTF_8)).toList());
  }
}

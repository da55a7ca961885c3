package io.feedline.formats.coco;

import io.feedline.formats.image.codec.DecodeOptions;
import java.util.Objects;

/**
 * The selection of COCO's annotations, their labels, and how images are decoded. Immutable.
 *
 * @param crowds whether annotations of crowds are taken, which are runs around many instances; true
 *     by default
 * @param unannotated whether images without any annotation that is taken are taken; true by default
 * @param contiguous whether a label is the index of its category in the order of the ids, from 0,
 *     instead of the id; false by default
 * @param decode how images are decoded; {@link DecodeOptions#DEFAULT} by default
 */
public record CocoOptions(
    boolean crowds, boolean unannotated, boolean contiguous, DecodeOptions decode) {

  /** All annotations and images, and ids for labels, as torchvision has them. */
  public static final CocoOptions DEFAULT =
      new CocoOptions(true, true, false, DecodeOptions.DEFAULT);

  /** Checks the values. */
  public CocoOptions {
    Objects.requireNonNull(decode, "decode");
  }

  /** Returns these options without crowds. */
  public CocoOptions withoutCrowds() {
    return new CocoOptions(false, unannotated, contiguous, decode);
  }

  /** Returns these options without images that have no annotation. */
  public CocoOptions withoutUnannotated() {
    return new CocoOptions(crowds, false, contiguous, decode);
  }

  /** Returns these options with labels that count from 0 without gaps. */
  public CocoOptions withContiguousLabels() {
    return new CocoOptions(crowds, unannotated, true, decode);
  }

  /**
   * Returns these options with other ones for decoding, such as {@link
   * DecodeOptions#withExifRotation} for annotations that were made on turned photographs.
   */
  public CocoOptions withDecode(DecodeOptions other) {
    return new CocoOptions(crowds, unannotated, contiguous, other);
  }
}

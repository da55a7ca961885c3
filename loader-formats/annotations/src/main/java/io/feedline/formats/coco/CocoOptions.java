package io.feedline.formats.coco;

/**
 * The selection of COCO's annotations, and their labels. Immutable.
 *
 * @param crowds whether annotations of crowds are taken, which are runs around many instances; true
 *     by default
 * @param unannotated whether images without any annotation that is taken are taken; true by default
 * @param contiguous whether a label is the index of its category in the order of the ids, from 0,
 *     instead of the id; false by default
 */
public record CocoOptions(boolean crowds, boolean unannotated, boolean contiguous) {

  /** All annotations and images, and ids for labels, as torchvision has them. */
  public static final CocoOptions DEFAULT = new CocoOptions(true, true, false);

  /** Returns these options without crowds. */
  public CocoOptions withoutCrowds() {
    return new CocoOptions(false, unannotated, contiguous);
  }

  /** Returns these options without images that have no annotation. */
  public CocoOptions withoutUnannotated() {
    return new CocoOptions(crowds, false, contiguous);
  }

  /** Returns these options with labels that count from 0 without gaps. */
  public CocoOptions withContiguousLabels() {
    return new CocoOptions(crowds, unannotated, true);
  }
}

package io.feedline.formats.cli.internal.doctor;

import java.util.List;

/**
 * The measured time to decode an image, transform it, and write it into its row: seconds of one
 * processor, in code that the JVM has compiled.
 *
 * @param imageSize the side of the crops, in pixels; of a user's own pipeline not known
 * @param kinds each kind of image, the most frequent one first
 * @param firstSeconds of an image whose scan index is not known yet
 * @param laterSeconds of one whose scan index is in memory, as from the second epoch on
 * @param byteRowsSeconds in place of {@code laterSeconds}, with rows of bytes that are not
 *     normalized
 * @param smaller the same images, once they are scaled down
 * @param transformSeconds of a processor that a user's own pipeline takes at least, beyond decoding
 *     whole images; 0 for others
 * @param waitSeconds that a user's own pipeline waits, but not for a processor; 0 for others
 * @param ownPipeline whether the pipeline is a class of the user, which chooses sizes and dtype
 * @param indexKept whether the scan indexes lie beside the data, so that no image is without
 */
record DecodeFigures(
    int imageSize,
    List<Kind> kinds,
    double firstSeconds,
    double laterSeconds,
    double byteRowsSeconds,
    Smaller smaller,
    double transformSeconds,
    double waitSeconds,
    boolean ownPipeline,
    boolean indexKept) {

  /**
   * Images of one encoding.
   *
   * @param name for people, such as {@code JPEG, progressive}
   * @param images how many of them were looked at
   * @param bytes of one, on average
   */
  record Kind(String name, int images, double bytes, double firstSeconds, double laterSeconds) {}

  /**
   * Images as {@code convert --resize} makes them.
   *
   * @param shorterSide what they were scaled down to, in pixels
   * @param changed the part of the images that were larger
   */
  record Smaller(int shorterSide, double changed, double bytes, double laterSeconds) {}

  DecodeFigures {
    kinds = List.copyOf(kinds);
  }
}

package io.feedline.bench;

/**
 * What {@link AgainstNative} compares: a kind of work, and whether Feedline knows where in each
 * file its parts begin, which libjpeg-turbo has no means to know.
 *
 * @param work what both sides do
 * @param indexed whether Feedline has a scan index of each image
 */
record Task(Work work, boolean indexed) {

  /** Where the indexes are, as {@code --scan-index} names it. */
  String scanIndex() {
    return indexed ? "memory" : "off";
  }

  /** As a table has it. */
  @Override
  public String toString() {
    return indexed ? work + ", indexed" : work.toString();
  }
}

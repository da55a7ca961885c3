package io.feedline.bench;

/**
 * A kind of work that {@link AgainstNative} measures, and the form of the data that Feedline reads
 * for it.
 */
record Task(Work work, Form form) {

  /** The forms of Feedline's data; C always reads the files. */
  enum Form {
    /** The JPEG files. */
    FILES("off"),

    /**
     * The files with scan indexes, as in a training from its second epoch on. libjpeg-turbo has no
     * such indexes.
     */
    INDEXED("memory"),

    /** A store into which the files were packed. */
    PACKED("none");

    private final String scanIndex;

    Form(String scanIndex) {
      this.scanIndex = scanIndex;
    }
  }

  /**
   * Returns the place of the indexes, as an argument of {@code --scan-index}; {@code none} for data
   * that need no index.
   */
  String scanIndex() {
    return form.scanIndex;
  }

  @Override
  public String toString() {
    return switch (form) {
      case FILES -> work.toString();
      case INDEXED -> work + ", indexed";
      case PACKED -> work + ", packed";
    };
  }
}

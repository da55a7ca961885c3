package io.feedline.bench;

/**
 * The task that {@link AgainstNative} compares: a kind of work, and the form of Feedline's data.
 *
 * @param work what both sides do
 * @param form what Feedline reads
 */
record Task(Work work, Form form) {

  /** The form of Feedline's data; C always has the files. */
  enum Form {
    /** The files, as they are. */
    FILES("off"),

    /**
     * The files, and where in each its parts begin, which libjpeg-turbo has no means to know: as
     * from the second epoch of a training on.
     */
    INDEXED("memory"),

    /** A store that the files were packed into. */
    PACKED("none");

    private final String scanIndex;

    Form(String scanIndex) {
      this.scanIndex = scanIndex;
    }
  }

  /**
   * Returns where the indexes are kept, as an argument of {@code --scan-index}; none for data that
   * need no index.
   */
  String scanIndex() {
    return form.scanIndex;
  }

  /** As a table has it. */
  @Override
  public String toString() {
    return switch (form) {
      case FILES -> work.toString();
      case INDEXED -> work + ", indexed";
      case PACKED -> work + ", packed";
    };
  }
}

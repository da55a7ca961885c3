package io.feedline.formats.store;

import io.feedline.formats.store.internal.files.OpenFiles;

/**
 * The base of builders for readers of files with consecutive records: the options for the files'
 * indexes, and limits. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract class RecordFilesBuilder<B extends RecordFilesBuilder<B>> {

  /** The default of {@link #maxSampleBytes}: 1 GiB. */
  public static final long DEFAULT_MAX_SAMPLE_BYTES = 1L << 30;

  private boolean keepIndex = true;
  private int openFiles = OpenFiles.DEFAULT_LIMIT;
  private long maxSampleBytes = DEFAULT_MAX_SAMPLE_BYTES;

  /** Begins with the defaults. */
  protected RecordFilesBuilder() {}

  /** Returns the builder itself. */
  @SuppressWarnings("unchecked")
  protected final B self() {
    return (B) this;
  }

  /**
   * Sets whether the index of a file is kept for the next time; true by default. The index is kept
   * beside the file, as {@code .FILE.feedline-index}, or in {@code ~/.cache/feedline/indexes} if
   * the file is not on this machine. Without a kept index, files are scanned each time.
   */
  public B keepIndex(boolean keepIndex) {
    this.keepIndex = keepIndex;
    return self();
  }

  /** Returns whether indexes are kept. */
  public final boolean keepIndex() {
    return keepIndex;
  }

  /** Sets how many files stay open while they are not read, 1 or more; 128 by default. */
  public B openFiles(int openFiles) {
    this.openFiles = openFiles;
    return self();
  }

  /** Returns how many files stay open. */
  public final int openFiles() {
    return openFiles;
  }

  /**
   * Sets the largest size of a sample in bytes, which counts the fields that are read; {@link
   * #DEFAULT_MAX_SAMPLE_BYTES} by default. A larger sample is an error.
   */
  public B maxSampleBytes(long maxSampleBytes) {
    this.maxSampleBytes = maxSampleBytes;
    return self();
  }

  /** Returns the largest size of a sample in bytes. */
  public final long maxSampleBytes() {
    return maxSampleBytes;
  }
}

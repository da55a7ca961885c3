package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * The samples of one component, with up to four samples of a row packed into an int; {@link
 * PixelPlanes} draws the layout. A border of one MCU on all sides contains the samples that filters
 * read beyond the image's edges.
 */
final class Plane implements SamplePlanes.Edges {
  private int blockSize;
  private int blocksAcross;
  private int blocksDown;
  private int interleave;
  private int samplesPerWord;
  private int wordsPerRow;
  private int rows;
  private int stride;
  private int[][] words = new int[0][];

  /**
   * Makes room for an image; values of earlier images are undefined afterwards. {@code interleave}
   * is 2 if even and odd rows lie in different arrays, otherwise 1.
   */
  void begin(
      int blockSize, int blocksAcross, int blocksDown, int interleave, int columns, int mcuRows) {
    this.blockSize = blockSize;
    this.blocksAcross = blocksAcross;
    this.blocksDown = blocksDown;
    this.interleave = interleave;
    samplesPerWord = Math.min(4, blockSize);
    wordsPerRow = blocksAcross * blockSize / samplesPerWord;
    rows = Math.multiplyExact(mcuRows, blocksDown * blockSize) / interleave;
    stride = columns + 2;
    int length = Math.multiplyExact(rows + 2, stride);
    int arrays = interleave * wordsPerRow;
    int had = words.length;
    if (had < arrays) {
      words = Arrays.copyOf(words, arrays);
    }
    for (int i = 0; i < arrays; i++) {
      if (i >= had || words[i].length < length) {
        words[i] = new int[roomFor(length)];
      }
    }
  }

  /** Returns a little more than the needed length, so that a slightly larger image fits too. */
  static int roomFor(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8, length + length / 8L);
  }

  int rows() {
    return rows;
  }

  int stride() {
    return stride;
  }

  /**
   * Returns the index of an MCU in a row of any array. A row or column of -1, or equal to the
   * number of rows or columns, is the border.
   */
  int index(int row, int column) {
    return (row + 1) * stride + 1 + column;
  }

  /**
   * Returns the array that contains a column of the MCUs' samples. {@code parity} is 1 for odd rows
   * if these have their own arrays, otherwise 0.
   */
  int[] words(int parity, int phase) {
    return words[parity * wordsPerRow + phase / samplesPerWord];
  }

  /** Returns the bits by which to shift a word right to get a phase's sample in the lowest byte. */
  int shift(int phase) {
    return phase % samplesPerWord * 8;
  }

  /**
   * Copies the transformed blocks of {@code count} neighboring MCUs, from {@code slot} on, into
   * this plane. {@code block} is the number of the component's block in an MCU.
   */
  void store(int block, int[] left, int[] right, int slot, int mcuRow, int column, int count) {
    int top = (mcuRow * blocksDown + block / blocksAcross) * blockSize;
    int word = block % blocksAcross * wordsPerRow / blocksAcross;
    for (int y = 0; y < blockSize; y++) {
      int row = top + y;
      int array = row % interleave * wordsPerRow + word;
      int from = y * Coefficients.BLOCKS + slot;
      int to = index(row / interleave, column);
      System.arraycopy(left, from, words[array], to, count);
      if (blockSize == 8) {
        System.arraycopy(right, from, words[array + 1], to, count);
      }
    }
  }

  @Override
  public void extendLeft() {
    int last = blocksAcross * blockSize - 1;
    for (int row = 0; row < rows; row++) {
      int sample = (words(0, 0)[index(row, 0)] & 255);
      set(row, -1, last, sample);
    }
  }

  @Override
  public void extendRight(int x) {
    int phases = blocksAcross * blockSize;
    int from = (x - 1) / phases;
    int fromPhase = (x - 1) % phases;
    int[] array = words(0, fromPhase);
    int shift = shift(fromPhase);
    for (int row = 0; row < rows; row++) {
      set(row, x / phases, x % phases, (array[index(row, from)] >>> shift) & 255);
    }
  }

  private void set(int row, int column, int phase, int sample) {
    int[] array = words(0, phase);
    int shift = shift(phase);
    int at = index(row, column);
    array[at] = (array[at] & ~(255 << shift)) | (sample << shift);
  }

  @Override
  public void copyRow(int from, int to) {
    for (int word = 0; word < wordsPerRow; word++) {
      System.arraycopy(words[word], index(from, -1), words[word], index(to, -1), stride);
    }
  }
}

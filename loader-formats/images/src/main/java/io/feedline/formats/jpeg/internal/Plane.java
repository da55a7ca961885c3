package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/**
 * The samples of one component, up to four of a row packed into an int; {@link PixelPlanes} draws
 * the layout. A border of one MCU on all sides holds the samples that filters read beyond the
 * image's edges.
 *
 * <p>Arrays are kept and grow with the largest image so far.
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
   * Makes room for an image; the plane's former values are undefined afterwards.
   *
   * @param blockSize the samples of a block in either direction: 8, 4, 2 or 1
   * @param blocksAcross the blocks of an MCU, horizontally
   * @param blocksDown the blocks of an MCU, vertically
   * @param interleave 2 to keep even and odd rows apart, otherwise 1
   * @param columns the number of MCUs in a row
   * @param mcuRows the number of rows of MCUs
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

  /** A little more than asked for, so that a slightly larger image fits too. */
  static int roomFor(int length) {
    return (int) Math.min(Integer.MAX_VALUE - 8, length + length / 8L);
  }

  /** The number of rows of each array, without the border: image rows / interleave. */
  int rows() {
    return rows;
  }

  /** From a row of an array to the next. */
  int stride() {
    return stride;
  }

  /** The index of an MCU in a row of any array; -1 and the counts are the border. */
  int index(int row, int column) {
    return (row + 1) * stride + 1 + column;
  }

  /**
   * The array that holds a column of the MCUs' samples.
   *
   * @param parity 0 for even rows and 1 for odd ones, if they are kept apart; otherwise 0
   * @param phase 0 for the leftmost samples of all MCUs, 1 for the next samples, ...
   */
  int[] words(int parity, int phase) {
    return words[parity * wordsPerRow + phase / samplesPerWord];
  }

  /**
   * Returns the bits by which to shift a word right so that the sample of a phase is in the lowest
   * byte.
   */
  int shift(int phase) {
    return phase % samplesPerWord * 8;
  }

  /**
   * Moves the transformed blocks of neighboring MCUs here.
   *
   * @param block which of an MCU's blocks of this component
   * @param left the samples 0..3, in the form of {@link PixelKernels#transform}
   * @param right their samples 4..7, looked at for blocks of 8
   * @param slot the slot of the first MCU's block; the others follow
   * @param mcuRow the row of MCUs, from the top of the plane
   * @param column the first MCU, from the left of the plane
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

  /** The memory that the plane keeps, in bytes. */
  long bytes() {
    long ints = 0;
    for (int[] array : words) {
      ints += array.length;
    }
    return ints * Integer.BYTES;
  }
}

package io.feedline.formats.jpeg.internal;

import java.util.Arrays;

/** The tables for decoding the blocks of an MCU. They are filled again for each image. */
public final class McuTables {

  static final int MAX_BLOCKS = 6;

  /** The largest size of a block in bytes: 64 symbols of up to 16 bits of code and 14 of value. */
  static final int MAX_BLOCK_BYTES = 240;

  static final int MAX_MCU_BYTES = MAX_BLOCKS * MAX_BLOCK_BYTES;

  /** The frequency, in rows of 8, of each place in the order of the file (T.81, figure A.6). */
  private static final int[] NATURAL_ORDER = {
    0, 1, 8, 16, 9, 2, 3, 10,
    17, 24, 32, 25, 18, 11, 4, 5,
    12, 19, 26, 33, 40, 48, 41, 34,
    27, 20, 13, 6, 7, 14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36,
    29, 22, 15, 23, 30, 37, 44, 51,
    58, 59, 52, 45, 38, 31, 39, 46,
    53, 60, 61, 54, 47, 55, 62, 63
  };

  /** Twice the places of a block: {@link HuffmanTable#END_OF_BLOCK} leads to the upper half. */
  private static final int PLACES = 128;

  /** The element of {@link #places} for unread coefficients: its index lies behind all others. */
  private static final long UNREAD = (64L * Coefficients.BLOCKS) << 32;

  private static final int MAX_COMPONENTS = 3;

  private final HuffmanTables cache = new HuffmanTables();
  private final long[][] placesOfComponent = new long[MAX_COMPONENTS][PLACES];

  /**
   * For each component, the elements of {@link #places} for blocks of which only the DC value is
   * wanted. There are twice as many, since a look-up of several symbols leads up to twice as far.
   */
  private final long[][] dcPlacesOfComponent = new long[MAX_COMPONENTS][2 * PLACES];

  int blocks;

  /** The number of blocks at the beginning of an MCU of which only the DC value is wanted. */
  int dcBlocks;

  final int[] component = new int[MAX_BLOCKS];
  final HuffmanTable[] dc = new HuffmanTable[MAX_BLOCKS];
  final HuffmanTable[] ac = new HuffmanTable[MAX_BLOCKS];
  final int[][] dcFast = new int[MAX_BLOCKS][];

  /**
   * The table {@link HuffmanTable#fast} of each block, or {@link HuffmanTable#several} for blocks
   * of which only the DC value is wanted.
   */
  final int[][] acFast = new int[MAX_BLOCKS][];

  final int[][] acSkip = new int[MAX_BLOCKS][];

  /**
   * The target of each place of each block; places are in the order of the file. The upper 32 bits
   * are the index in {@link Coefficients#values} at which the place's frequency begins, and the
   * lower 32 bits its quantizer. Only EOB and corrupt data lead to places above 63, which are never
   * read.
   */
  final long[][] places = new long[MAX_BLOCKS][];

  /** Prepares the tables for an image; throws if a Huffman table of the image is impossible. */
  public void fill(JpegImage image) throws JpegException {
    Sampling sampling = image.grid().sampling();
    blocks = 0;
    dcBlocks = 0;
    for (int c = 0; c < sampling.components(); c++) {
      JpegImage.Component tables = image.component(c);
      HuffmanTable dcTable = cache.get(image.data(), tables.dcTable(), false);
      HuffmanTable acTable = cache.get(image.data(), tables.acTable(), true);
      fillPlaces(placesOfComponent[c], tables.quantizers());
      int count = c == 0 ? sampling.lumaBlocks() : 1;
      for (int i = 0; i < count; i++, blocks++) {
        component[blocks] = c;
        dc[blocks] = dcTable;
        ac[blocks] = acTable;
        dcFast[blocks] = dcTable.fast();
        acFast[blocks] = acTable.fast();
        places[blocks] = placesOfComponent[c];
      }
    }
  }

  /** Returns the frequency, in rows of 8, of a place in the order of the file. */
  public static int frequency(int place) {
    return NATURAL_ORDER[place];
  }

  /** Prepares the tables for an image whose quantized coefficients are wanted. */
  public void fillQuantized(JpegImage image) throws JpegException {
    fill(image);
    int[] ones = new int[64];
    Arrays.fill(ones, 1);
    for (int c = 0; c < image.grid().sampling().components(); c++) {
      fillPlaces(placesOfComponent[c], ones);
    }
  }

  public static void fillPlaces(long[] places, int[] quantizers) {
    for (int k = 0; k < 64; k++) {
      long values = (long) NATURAL_ORDER[k] * Coefficients.BLOCKS;
      places[k] = (values << 32) | quantizers[k];
    }
    Arrays.fill(places, 64, places.length, UNREAD);
  }

  void wantDc(int blocks) {
    dcBlocks = blocks;
    for (int block = 0; block < blocks; block++) {
      long[] unread = dcPlacesOfComponent[component[block]];
      Arrays.fill(unread, UNREAD);
      unread[0] = placesOfComponent[component[block]][0];
      places[block] = unread;
      acFast[block] = ac[block].several();
    }
  }

  void fillSkip() {
    for (int block = 0; block < blocks; block++) {
      acSkip[block] = ac[block].skip();
    }
  }
}

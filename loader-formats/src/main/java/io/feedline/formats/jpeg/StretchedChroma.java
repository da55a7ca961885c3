package io.feedline.formats.jpeg;

import io.feedline.formats.jpeg.PlaneLayout.Stretch;

/**
 * One chroma component of a tile, stretched over luma.
 *
 * <p>The triangle filters are libjpeg's "fancy upsampling": a pixel is 3/4 the nearer sample and
 * 1/4 the farther one, in each direction. Ties alternate between rounding up and down, from pixel
 * to pixel and from row to row.
 */
final class StretchedChroma {
  private final PixelKernels kernels;
  private final Plane plane;

  private Stretch stretch = Stretch.REPEAT;
  private int ratio;
  private int phases;

  private int[] near = {};
  private int[] far = {};
  private int[] leftOfFirst = {};
  private int[] rightOfLast = {};
  private int[] stretched = {};
  private int[][] samples = {};

  StretchedChroma(PixelKernels kernels, Plane plane) {
    this.kernels = kernels;
    this.plane = plane;
  }

  /**
   * Starts with a plane that is complete.
   *
   * @param length how long the runs of ints may be that are loaded
   */
  void begin(PlaneLayout layout, int length) {
    stretch = layout.stretch();
    ratio = layout.horizontalRatio();
    phases = layout.chromaSize();
    if (near.length < length || samples.length < phases) {
      int room = Math.max(near.length, Plane.roomFor(length));
      near = new int[room];
      far = new int[room];
      leftOfFirst = new int[room];
      rightOfLast = new int[room];
      stretched = new int[room];
      samples = new int[Math.max(samples.length, phases)][room];
    }
  }

  /**
   * Loads rows.
   *
   * @param parity 0 or 1: which of the luma rows that a chroma row covers
   * @param start the index of the first int in the plane's arrays
   * @param n the number of ints
   */
  void load(int parity, int start, int n) {
    int neighbour = parity == 0 ? start - plane.stride() : start + plane.stride();
    for (int phase = 0; phase < phases; phase++) {
      int[] words = plane.words(0, phase);
      int shift = plane.shift(phase);
      int[] target = samples[phase];
      switch (stretch) {
        case REPEAT -> {
          if (shift == 0) {
            System.arraycopy(words, start, target, 0, n);
          }
        }
        case ACROSS -> {
          if (shift == 0) {
            System.arraycopy(words, start, near, 0, n);
          }
          kernels.unpack(near, shift, target, n);
        }
        case DOWN, BOTH -> {
          if (shift == 0) {
            System.arraycopy(words, start, near, 0, n);
            System.arraycopy(words, neighbour, far, 0, n);
          }
          if (stretch == Stretch.DOWN) {
            kernels.blendPacked(near, far, shift, 1 + parity, 2, target, n);
          } else {
            kernels.blendPacked(near, far, shift, 0, 0, target, n);
          }
        }
      }
    }
    if (stretch == Stretch.ACROSS || stretch == Stretch.BOTH) {
      System.arraycopy(samples[phases - 1], 0, leftOfFirst, 1, n - 1);
      System.arraycopy(samples[0], 1, rightOfLast, 0, n - 1);
    }
  }

  /**
   * The samples for the pixels of a phase, to be shifted right by {@link #shift} and masked. Valid
   * until the next call.
   */
  int[] samples(int pixelPhase, int n) {
    int phase = pixelPhase / ratio;
    return switch (stretch) {
      case REPEAT -> samples[phase - plane.shift(phase) / 8];
      case DOWN -> samples[phase];
      case ACROSS -> {
        boolean left = pixelPhase % 2 == 0;
        kernels.blend(samples[phase], beside(phase, left), left ? 1 : 2, 2, stretched, n);
        yield stretched;
      }
      case BOTH -> {
        boolean left = pixelPhase % 2 == 0;
        kernels.blend(samples[phase], beside(phase, left), left ? 8 : 7, 4, stretched, n);
        yield stretched;
      }
    };
  }

  private int[] beside(int phase, boolean left) {
    if (left) {
      return phase == 0 ? leftOfFirst : samples[phase - 1];
    }
    return phase == phases - 1 ? rightOfLast : samples[phase + 1];
  }

  /** Where in the ints of {@link #samples} the samples are. */
  int shift(int pixelPhase) {
    return stretch == Stretch.REPEAT ? plane.shift(pixelPhase / ratio) : 0;
  }

  /** The memory that this keeps, in bytes. */
  long bytes() {
    return (long) near.length * Integer.BYTES * (5 + samples.length);
  }
}

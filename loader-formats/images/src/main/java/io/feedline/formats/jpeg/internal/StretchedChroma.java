package io.feedline.formats.jpeg.internal;

import io.feedline.formats.jpeg.internal.PlaneLayout.Stretch;
import java.util.List;

/**
 * One chroma component of a tile, stretched to luma's size by libjpeg's "fancy upsampling": in each
 * direction a pixel is 3/4 of the nearer sample plus 1/4 of the farther sample. Halves are rounded
 * up and down in turns, from pixel to pixel and from row to row.
 */
final class StretchedChroma {
  private static final int MOST_PHASES = 8;

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

  /** Allocates new arrays. Steps planned before use the old arrays, so they must not run again. */
  void makeRoom(int length) {
    near = new int[length];
    far = new int[length];
    leftOfFirst = new int[length];
    rightOfLast = new int[length];
    stretched = new int[length];
    samples = new int[MOST_PHASES][length];
  }

  /** Plans to load chroma rows and stretch them vertically, for even (0) or odd (1) luma rows. */
  void planRow(PlaneLayout layout, int parity, List<TileStep> steps) {
    stretch = layout.stretch();
    ratio = layout.horizontalRatio();
    phases = layout.chromaSize();
    for (int phase = 0; phase < phases; phase++) {
      int shift = plane.shift(phase);
      int[] target = samples[phase];
      switch (stretch) {
        case REPEAT -> planWords(phase, target, steps);
        case ACROSS -> {
          planWords(phase, near, steps);
          steps.add((start, n) -> kernels.unpack(near, shift, target, n));
        }
        case DOWN -> {
          planTwoRows(parity, phase, steps);
          int rounding = 1 + parity;
          steps.add((start, n) -> kernels.blendPacked(near, far, shift, rounding, 2, target, n));
        }
        case BOTH -> {
          planTwoRows(parity, phase, steps);
          steps.add((start, n) -> kernels.blendPacked(near, far, shift, 0, 0, target, n));
        }
      }
    }
    if (stretch.across()) {
      int[] first = samples[0];
      int[] last = samples[phases - 1];
      steps.add((start, n) -> System.arraycopy(last, 0, leftOfFirst, 1, n - 1));
      steps.add((start, n) -> System.arraycopy(first, 1, rightOfLast, 0, n - 1));
    }
  }

  private void planTwoRows(int parity, int phase, List<TileStep> steps) {
    planWords(phase, near, steps);
    if (plane.shift(phase) == 0) {
      steps.add(
          (start, n) -> {
            int neighbor = parity == 0 ? start - plane.stride() : start + plane.stride();
            System.arraycopy(plane.words(0, phase), neighbor, far, 0, n);
          });
    }
  }

  private void planWords(int phase, int[] target, List<TileStep> steps) {
    if (plane.shift(phase) == 0) {
      steps.add((start, n) -> System.arraycopy(plane.words(0, phase), start, target, 0, n));
    }
  }

  /** The horizontal stretching of a row: {@code (3 * near + far + rounding) >> shift}. */
  record Blend(int[] near, int[] far, int rounding, int shift) {}

  /** Returns the blend that computes the pixels of one phase from a loaded row. */
  Blend blend(int pixelPhase) {
    int phase = pixelPhase / ratio;
    int[] nearer = samples[phase];
    boolean both = stretch == Stretch.BOTH;
    if (pixelPhase % 2 == 0) {
      int[] farther = phase == 0 ? leftOfFirst : samples[phase - 1];
      return new Blend(nearer, farther, both ? 8 : 1, both ? 4 : 2);
    }
    int[] farther = phase == phases - 1 ? rightOfLast : samples[phase + 1];
    return new Blend(nearer, farther, both ? 7 : 2, both ? 4 : 2);
  }

  /**
   * Plans a step that stretches a loaded row horizontally for one phase. Returns the array that
   * will contain the samples until the next phase is stretched. These samples must be shifted right
   * by {@link #shift} and masked.
   */
  int[] planPhase(int pixelPhase, List<TileStep> steps) {
    int phase = pixelPhase / ratio;
    if (stretch.across()) {
      Blend b = blend(pixelPhase);
      int[] target = stretched;
      steps.add((start, n) -> kernels.blend(b.near, b.far, b.rounding, b.shift, target, n));
      return target;
    }
    return stretch == Stretch.DOWN ? samples[phase] : samples[phase - plane.shift(phase) / 8];
  }

  int shift(int pixelPhase) {
    return stretch == Stretch.REPEAT ? plane.shift(pixelPhase / ratio) : 0;
  }
}

package io.feedline.formats.jpeg.internal;

import io.feedline.formats.jpeg.internal.SamplePlanes.Colors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A few rows of the planes, converted to pixels. The rows are few enough that intermediate values
 * stay in the first cache levels, and enough that loops are long.
 *
 * <p>A tile converts whole rows of the planes' arrays, borders included, as one run of neighboring
 * ints, so loops need not know the ends of rows. The values computed for borders are never read. A
 * pixel's phase is its place within the MCU. Until {@link #read} spreads the pixels, each phase has
 * its own array.
 */
final class PixelTile {
  /** The approximate number of pixels of a tile; one row of a wide image may have more. */
  private static final int PIXELS = 24 << 10;

  private final PixelKernels kernels;
  private final Plane luma;
  private final StretchedChroma cb;
  private final StretchedChroma cr;
  private final Map<Kind, List<TileStep>> plans = new HashMap<>();

  private List<TileStep> plan = List.of();
  private int phases;
  private int interleave;
  private int rowsPerTile;
  private int firstRow;
  private int endRow;
  private int[] words = {};
  private int[][] pixels = {};

  /** The kind of an image, which determines its plan: the steps that convert a tile to pixels. */
  private record Kind(Sampling sampling, int scale, PlaneLayout.Stretch stretch, Colors colors) {}

  PixelTile(PixelKernels kernels, Plane luma, Plane cb, Plane cr) {
    this.kernels = kernels;
    this.luma = luma;
    this.cb = new StretchedChroma(kernels, cb);
    this.cr = new StretchedChroma(kernels, cr);
  }

  void begin(PlaneLayout layout, Colors colors) {
    phases = layout.mcuWidth();
    interleave = layout.verticalRatio();
    int arrays = phases * interleave;
    rowsPerTile = Math.min(luma.rows(), Math.max(1, PIXELS / arrays / luma.stride()));
    firstRow = 0;
    endRow = 0;
    Sampling sampling = layout.grid().sampling();
    makeRoom(rowsPerTile * luma.stride() + PixelKernels.SLACK, arrays);
    plan =
        plans.computeIfAbsent(
            new Kind(sampling, layout.scale(), layout.stretch(), colors),
            kind -> plan(kind, layout));
  }

  private List<TileStep> plan(Kind kind, PlaneLayout layout) {
    return kind.colors() == Colors.LUMA || kind.sampling() == Sampling.GRAY
        ? planLuma(kind.colors() != Colors.LUMA)
        : planColor(layout, kind.colors() == Colors.RGB);
  }

  private List<TileStep> planLuma(boolean packed) {
    List<TileStep> steps = new ArrayList<>();
    for (int parity = 0; parity < interleave; parity++) {
      for (int phase = 0; phase < phases; phase++) {
        int shift = luma.shift(phase);
        int[] target = pixels[parity * phases + phase];
        planLuma(parity, phase, steps);
        steps.add(
            packed
                ? (start, n) -> kernels.gray(words, shift, target, n)
                : (start, n) -> kernels.unpack(words, shift, target, n));
      }
    }
    return steps;
  }

  private void makeRoom(int length, int arrays) {
    if (words.length < length || pixels.length < arrays) {
      int room = Math.max(words.length, Plane.roomFor(length));
      words = new int[room];
      pixels = new int[Math.max(pixels.length, arrays)][room];
      cb.makeRoom(room);
      cr.makeRoom(room);
      plans.clear();
    }
  }

  private List<TileStep> planColor(PlaneLayout layout, boolean rgb) {
    List<TileStep> steps = new ArrayList<>();
    for (int parity = 0; parity < interleave; parity++) {
      cb.planRow(layout, parity, steps);
      cr.planRow(layout, parity, steps);
      for (int phase = 0; phase < phases; phase++) {
        planLuma(parity, phase, steps);
        int[] target = pixels[parity * phases + phase];
        if (!rgb && layout.stretch().across()) {
          planBlended(phase, target, steps);
        } else {
          planPacked(phase, rgb, target, steps);
        }
      }
    }
    return steps;
  }

  private void planPacked(int phase, boolean rgb, int[] target, List<TileStep> steps) {
    int[] second = cb.planPhase(phase, steps);
    int[] third = cr.planPhase(phase, steps);
    int lumaShift = luma.shift(phase);
    int shift = cb.shift(phase);
    if (rgb) {
      steps.add((start, n) -> kernels.rgb(words, lumaShift, second, third, shift, target, n));
    } else {
      steps.add((start, n) -> kernels.color(words, lumaShift, second, third, shift, target, n));
    }
  }

  private void planBlended(int phase, int[] target, List<TileStep> steps) {
    StretchedChroma.Blend u = cb.blend(phase);
    StretchedChroma.Blend v = cr.blend(phase);
    int lumaShift = luma.shift(phase);
    int rounding = u.rounding();
    int shift = u.shift();
    steps.add(
        (start, n) ->
            kernels.blendedColor(
                words, lumaShift, u.near(), u.far(), v.near(), v.far(), rounding, shift, target,
                n));
  }

  private void planLuma(int parity, int phase, List<TileStep> steps) {
    if (luma.shift(phase) == 0) {
      steps.add((start, n) -> System.arraycopy(luma.words(parity, phase), start, words, 0, n));
    }
  }

  /** Reads {@code width} pixels of a row from {@code x} on; both are relative to the planes. */
  void read(int row, int x, int width, int[] target, int offset) {
    int planeRow = row / interleave;
    if (planeRow < firstRow || planeRow >= endRow) {
      convert(planeRow / rowsPerTile * rowsPerTile);
    }
    int first = row % interleave * phases;
    int column = (planeRow - firstRow) * luma.stride() + 1 + x / phases;
    int phase = x % phases;
    int before = phase == 0 ? 0 : Math.min(width, phases - phase);
    spreadOne(first + phase, column, before, target, offset);
    int whole = (width - before) / phases;
    int at = phase == 0 ? column : column + 1;
    int to = offset + before;
    spread(first, at, whole, target, to);
    int after = width - before - whole * phases;
    spreadOne(first, at + whole, after, target, to + whole * phases);
  }

  private void spreadOne(int phase, int column, int count, int[] target, int offset) {
    for (int i = 0; i < count; i++) {
      target[offset + i] = pixels[phase + i][column];
    }
  }

  private void spread(int first, int column, int mcus, int[] target, int offset) {
    if (phases % 4 == 0) {
      for (int phase = 0; phase < phases; phase += 4) {
        kernels.spreadFour(pixels, first + phase, column, target, offset + phase, phases, mcus);
      }
      return;
    }
    for (int phase = 0; phase < phases; phase++) {
      int[] from = pixels[first + phase];
      for (int i = 0; i < mcus; i++) {
        target[offset + phase + i * phases] = from[column + i];
      }
    }
  }

  /** Stores pixel {@code x + c} of row {@code row + i} in {@code columns[c][i]}. */
  void readColumns(int row, int rows, int x, int width, int[][] columns) {
    int end = row + rows;
    for (int top = row; top < end; top = Math.min(end, endRow * interleave)) {
      int planeRow = top / interleave;
      if (planeRow < firstRow || planeRow >= endRow) {
        convert(planeRow / rowsPerTile * rowsPerTile);
      }
      int bottom = Math.min(end, endRow * interleave);
      for (int phase = 0; phase < phases; phase++) {
        for (int y = top; y < Math.min(bottom, top + interleave); y++) {
          int[] from = pixels[y % interleave * phases + phase];
          int at = (y / interleave - firstRow) * luma.stride() + 1;
          int count = (bottom - y + interleave - 1) / interleave;
          for (int c = Math.floorMod(phase - x, phases); c < width; c += phases) {
            spreadDown(from, at + (x + c) / phases, count, columns[c], y - row);
          }
        }
      }
    }
  }

  /** Spreads the pixels of one phase down a column, in two loops: C2 needs constant steps. */
  private void spreadDown(int[] from, int at, int count, int[] column, int to) {
    int stride = luma.stride();
    if (interleave == 2) {
      for (int i = 0, f = at; i < count; i++, f += stride) {
        column[to + 2 * i] = from[f];
      }
    } else {
      for (int i = 0, f = at; i < count; i++, f += stride) {
        column[to + i] = from[f];
      }
    }
  }

  private void convert(int row) {
    firstRow = row;
    endRow = Math.min(luma.rows(), row + rowsPerTile);
    int start = luma.index(row, -1);
    int n = (endRow - firstRow) * luma.stride();
    for (TileStep step : plan) {
      step.run(start, n);
    }
  }
}

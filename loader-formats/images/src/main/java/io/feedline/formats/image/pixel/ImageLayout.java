package io.feedline.formats.image.pixel;

/** The order of an image's axes in a tensor; in a batch, N comes in front. */
public enum ImageLayout {
  /** Channels, rows, columns: three planes. The layout of PyTorch's models; the default. */
  CHW,
  /** Rows, columns, channels: pixels interleaved. */
  HWC
}

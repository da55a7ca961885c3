package io.feedline.formats.image.pixel;

/** The order of an image's axes in a tensor; in a batch the axis N is first. */
public enum ImageLayout {
  /** Channels, rows, columns: three planes. The layout of PyTorch's models; the default. */
  CHW,
  /** Rows, columns, channels: the channels of a pixel are side by side. */
  HWC
}

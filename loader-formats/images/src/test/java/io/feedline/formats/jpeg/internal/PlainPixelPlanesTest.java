package io.feedline.formats.jpeg.internal;

class PlainPixelPlanesTest extends PixelPlanesContract {
  @Override
  PixelKernels kernels() {
    return new PlainPixelKernels();
  }
}

package io.feedline.formats.jpeg.internal;

class PlainPixelKernelsTest extends PixelKernelsContract {
  @Override
  PixelKernels kernels() {
    return new PlainPixelKernels();
  }
}

package io.feedline.formats.jpeg;

class PlainPixelKernelsTest extends PixelKernelsContract {
  @Override
  PixelKernels kernels() {
    return new PlainPixelKernels();
  }
}

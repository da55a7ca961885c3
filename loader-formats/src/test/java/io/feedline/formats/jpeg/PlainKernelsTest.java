package io.feedline.formats.jpeg;

class PlainKernelsTest extends PixelKernelsContract {
  @Override
  PixelKernels kernels() {
    return new PlainKernels();
  }
}

package io.feedline.formats.jpeg.internal;

class VectorPixelPlanesTest extends PixelPlanesContract {
  @Override
  PixelKernels kernels() {
    return VectorPixelKernelsTest.create();
  }
}

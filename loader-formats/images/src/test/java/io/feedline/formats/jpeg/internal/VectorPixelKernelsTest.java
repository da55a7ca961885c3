package io.feedline.formats.jpeg.internal;

class VectorPixelKernelsTest extends PixelKernelsContract {
  @Override
  PixelKernels kernels() {
    return create();
  }

  /** Vector kernels, whatever the library would choose. */
  static PixelKernels create() {
    // By name, as the library does it: this class is compiled without the module.
    try {
      return Class.forName("io.feedline.formats.jpeg.internal.VectorPixelKernels")
          .asSubclass(PixelKernels.class)
          .getDeclaredConstructor()
          .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }
}

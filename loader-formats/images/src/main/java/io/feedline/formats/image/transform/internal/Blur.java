package io.feedline.formats.image.transform.internal;

import io.feedline.formats.image.Image.PixelOperation;

/**
 * The operation {@code gaussian_blur}: a convolution with a Gaussian kernel, rounded half to even.
 *
 * <p>torchvision multiplies the two kernels, of columns and of rows, to one kernel and adds in
 * another order, so a sample at a rounding limit may differ by 1.
 */
public final class Blur implements PixelOperation {
  private final GaussianFilter filter;
  private final double sigma;

  public Blur(int kernelWidth, int kernelHeight, double sigma) {
    this.filter = new GaussianFilter(kernelWidth, kernelHeight, sigma, sigma);
    this.sigma = sigma;
  }

  @Override
  public void apply(byte[] rgb, int width, int height) {
    int stride = 3 * width;
    GaussianFilter.Rows rows =
        new GaussianFilter.Rows() {
          @Override
          public void read(int y, float[] samples, int at) {
            for (int i = 0; i < stride; i++) {
              samples[at + i] = rgb[y * stride + i] & 0xFF;
            }
          }

          @Override
          public void write(int y, float[] samples) {
            for (int i = 0; i < stride; i++) {
              rgb[y * stride + i] = (byte) (int) Math.rint(samples[i]);
            }
          }
        };
    filter.apply(rows, width, height, 3);
  }

  @Override
  public String toString() {
    return "blur %d x %d, sigma %s".formatted(filter.width(), filter.height(), sigma);
  }
}

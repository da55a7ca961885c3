/** Decodes WebP, progressive JPEG and the like with OpenCV. Users name nothing of it. */
module io.feedline.opencv {
  requires io.feedline.images;
  requires org.bytedeco.javacpp;
  requires org.bytedeco.opencv;

  provides io.feedline.formats.image.codec.ImageDecoder with
      io.feedline.formats.image.opencv.internal.OpenCvImages;
}

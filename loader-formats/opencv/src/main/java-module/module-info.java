/** A decoder of WebP that uses OpenCV. Users call nothing in this module. */
module io.feedline.opencv {
  requires io.feedline.images;
  requires org.bytedeco.javacpp;
  requires org.bytedeco.opencv;

  provides io.feedline.formats.image.codec.ImageDecoder with
      io.feedline.formats.image.opencv.internal.OpenCvImages;
}

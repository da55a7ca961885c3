package io.feedline.formats.image.recode.internal;

import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.transform.Transform;

/** The changes to the entropy coding of JPEGs when images are packed. The pixels stay the same. */
enum EntropyCoding implements Transform<EncodedImage, EncodedImage> {

  /**
   * The change of JPEGs to coefficient records. Other images, and JPEGs that cannot become records,
   * stay unchanged.
   */
  UNDONE {
    @Override
    public EncodedImage apply(EncodedImage image) {
      return CoefficientRecord.of(image.bytes())
          .map(record -> new EncodedImage(image.key(), record, image.label()))
          .orElse(image);
    }
  },

  /** The change of coefficient records to JPEGs. Other images stay unchanged. */
  DONE {
    @Override
    public EncodedImage apply(EncodedImage image) throws JpegException {
      if (image.format() != ImageFormat.COEFFICIENTS) {
        return image;
      }
      byte[] jpeg = CoefficientRecord.parse(image.bytes()).toJpeg();
      return new EncodedImage(image.key(), jpeg, image.label());
    }
  };

  @Override
  public abstract EncodedImage apply(EncodedImage image) throws JpegException;
}

package io.feedline.formats.image.recode.internal;

import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.transform.Transform;

/** Changes of the entropy coding of JPEGs when they are packed. The pixels do not change. */
enum EntropyCoding implements Transform<EncodedImage, EncodedImage> {

  /**
   * JPEGs become coefficient records; other images, and JPEGs that cannot become records, stay
   * unchanged.
   */
  UNDONE {
    @Override
    public EncodedImage apply(EncodedImage image) {
      return CoefficientRecord.of(image.bytes())
          .map(record -> new EncodedImage(image.key(), record, image.label()))
          .orElse(image);
    }
  },

  /** Coefficient records become JPEGs; all else stays as it is. */
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

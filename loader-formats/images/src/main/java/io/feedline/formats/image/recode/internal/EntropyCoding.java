package io.feedline.formats.image.recode.internal;

import io.feedline.formats.jpeg.coefficients.internal.CoefficientRecord;
import io.feedline.formats.jpeg.internal.JpegException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.transform.Transform;

/** The changes to the entropy coding of JPEGs when images are packed. Pixels do not change. */
enum EntropyCoding implements Transform<EncodedImage, EncodedImage> {

  /**
   * The conversion of JPEGs to coefficient records. JPEGs that cannot become records, and images of
   * other formats, stay unchanged.
   */
  UNDONE {
    @Override
    public EncodedImage apply(EncodedImage image) {
      return CoefficientRecord.of(image.bytes())
          .map(record -> new EncodedImage(image.key(), record, image.label()))
          .orElse(image);
    }
  },

  /** The conversion of coefficient records to JPEGs. Images of other formats stay unchanged. */
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

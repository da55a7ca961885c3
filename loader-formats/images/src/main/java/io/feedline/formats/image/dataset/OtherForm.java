package io.feedline.formats.image.dataset;

import io.feedline.data.Dataset;
import io.feedline.data.Dataset.ReadAhead;
import io.feedline.data.SampleContext;
import io.feedline.formats.image.dataset.ImageDataset.NamedImage;
import io.feedline.formats.store.EncodedImage;
import java.io.IOException;

/** A dataset with the name and the samples of an {@link ImageDataset}, in another form. */
interface OtherForm<T> extends Dataset<T> {

  ImageDataset images();

  @Override
  default long size() {
    return images().size();
  }

  @Override
  default void readAhead(long index, ReadAhead ahead) {
    images().readAhead(index, ahead);
  }

  @Override
  default String describe(long index) {
    return images().describe(index);
  }

  @Override
  default String name() {
    return images().name();
  }

  @Override
  default String fingerprint() {
    return images().fingerprint();
  }

  record OfEncoded(ImageDataset images) implements OtherForm<EncodedImage> {

    @Override
    public EncodedImage get(long index) throws IOException {
      return images.encoded(index);
    }

    @Override
    public EncodedImage get(long index, SampleContext context) throws Exception {
      ImageDataset.Origin origin = images.origin(index);
      return context.read(origin.store(), origin.index());
    }
  }

  record OfNamed(ImageDataset images) implements OtherForm<NamedImage> {

    @Override
    public NamedImage get(long index) throws IOException {
      return named(images.get(index), index);
    }

    @Override
    public NamedImage get(long index, SampleContext context) throws Exception {
      return named(images.get(index, context), index);
    }

    private NamedImage named(LabeledImage sample, long index) {
      return new NamedImage(sample.image(), images.describe(index));
    }
  }
}

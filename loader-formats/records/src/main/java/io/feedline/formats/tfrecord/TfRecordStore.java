package io.feedline.formats.tfrecord;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore.StoredImage;
import io.feedline.formats.store.internal.files.FileImage;
import io.feedline.formats.store.internal.samples.NumberedKeys;
import io.feedline.formats.store.internal.shards.ShardFilesStore;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

final class TfRecordStore extends ShardFilesStore<TfRecordDataset> {

  private final ImageReader reader;
  private final String name;

  TfRecordStore(TfRecordDataset records, ImageReader reader, String name) {
    super(records, reader.classes().names(), records.indexes());
    this.reader = reader;
    this.name = name;
  }

  @Override
  public EncodedImage read(long index) throws IOException {
    Example example = samples().example(index);
    try {
      return reader.read(example, NumberedKeys.padded(index, size()));
    } catch (FormatException broken) {
      throw broken.at(describe(index));
    }
  }

  /** Locates an image; verifies no checksum, since the checksum covers the whole record. */
  @Override
  public Optional<StoredImage> locate(long index) throws IOException {
    return samples()
        .look(
            index,
            (example, record) -> {
              Example.Extent image = example.place(reader.features().encoded());
              if (image == null) {
                return Optional.empty(); // A read of the sample reports the problem.
              }
              FileRange place =
                  new FileRange(
                      record.file(), record.offset() + image.from(), image.to() - image.from());
              return Optional.of(
                  new FileImage(samples().indexes().files(), place, reader.label(example)));
            });
  }

  @Override
  public int label(long index) throws IOException {
    return samples().look(index, (example, record) -> reader.label(example));
  }

  @Override
  public String key(long index) throws IOException {
    String number = NumberedKeys.padded(Objects.checkIndex(index, size()), size());
    return samples().look(index, (example, record) -> reader.key(example, number));
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String fingerprint() {
    return fingerprint(reader, samples().fingerprint());
  }

  static String fingerprint(ImageReader reader, String records) {
    return "TfRecordDataset.images:" + reader.classes().firstLabel() + ":" + records;
  }
}

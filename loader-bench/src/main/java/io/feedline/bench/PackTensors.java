package io.feedline.bench;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.lmdb.LmdbTensors;
import io.feedline.formats.store.StoreWriter;
import io.feedline.transform.Transform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Packs a folder of images into an LMDB database of tensors, each an LZ4 frame: {@code image},
 * uint8 (224, 224, 3), the image after {@code Resize(256)} and {@code CenterCrop(224)}, and {@code
 * label}. {@link Throughput} reads them by {@code --format lmdb-tensors}; {@code
 * peers/make_hdf5.py} writes the same arrays in the same order to HDF5.
 *
 * <pre>
 * java --enable-native-access=ALL-UNNAMED -cp loader-bench/target/benchmarks.jar \
 *     io.feedline.bench.PackTensors FOLDER DATABASE
 * </pre>
 *
 * <p>The database must not exist yet. An interrupted run continues where it ended.
 */
public final class PackTensors {
  private static final Transform<Image, Image> MIDDLE =
      Resize.of(256).andThen(CenterCrop.of(Work.SIDE));

  private PackTensors() {}

  /**
   * Packs the folder that the arguments name.
   *
   * @param args the folder and the database
   * @throws Exception if an image cannot be read, or the database cannot be written
   */
  public static void main(String... args) throws Exception {
    if (args.length != 2) {
      System.err.println("usage: PackTensors FOLDER DATABASE");
      System.exit(2);
    }
    System.err.printf("%d samples in %s%n", pack(Path.of(args[0]), Path.of(args[1])), args[1]);
  }

  /**
   * Packs a folder of images into a database.
   *
   * @return the number of samples in the database
   * @throws Exception if an image cannot be read, or the database cannot be written
   */
  static long pack(Path folder, Path database) throws Exception {
    try (ImageDataset images = ImageFolder.of(folder);
        StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(database)) {
      while (writer.written() < images.size()) {
        writer.write(tensors(images.get(writer.written())));
      }
      writer.commit();
      return writer.written();
    }
  }

  /** Returns the tensors of a sample, in the order in which they are stored. */
  private static Map<String, TensorSource> tensors(LabeledImage sample) throws Exception {
    Map<String, TensorSource> tensors = new LinkedHashMap<>();
    tensors.put("image", MIDDLE.apply(sample.image()).toTensor(DType.UINT8, ImageLayout.HWC));
    ByteBuffer label = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
    label.putLong(0, sample.label());
    tensors.put("label", Tensor.of(DType.INT64, Shape.SCALAR, label));
    return tensors;
  }
}

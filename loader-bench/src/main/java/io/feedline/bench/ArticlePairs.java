package io.feedline.bench;

import io.feedline.batch.DType;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.formats.folder.PairFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Pixels;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImagePair;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.RandomPairCrop;
import io.feedline.formats.image.transform.RandomPairFlip;
import io.feedline.formats.image.transform.RandomPairTurn;
import io.feedline.formats.lmdb.LmdbTensors;
import io.feedline.formats.lmdb.LmdbTensors.StoredTensor;
import io.feedline.formats.store.StoreWriter;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;

/**
 * Pairs of images in low and in high resolution for the experiments of {@link Articles}, stored in
 * three ways: as PNG files, as JPEG files, and as an LMDB database of tensors in LZ4 frames. What
 * is taken of them are the patches that super-resolution trains on.
 *
 * @param directory that has {@code png/low}, {@code png/high}, {@code jpg/low}, {@code jpg/high}
 *     and {@code lmdb}
 */
record ArticlePairs(Path directory) {

  static final int SCALE = 2;

  /** The side of a high image, and of a patch of it. */
  private static final int SIDE = 256;

  private static final int PATCH = 96;

  /** Patches of each pair in an epoch. */
  private static final int PATCHES = 16;

  /**
   * Makes the pairs, unless they are there.
   *
   * @param images whose middles become the high images
   * @param most how many pairs, at most
   */
  void make(ImageDataset images, int most) throws Exception {
    Path database = directory.resolve("lmdb");
    if (Files.exists(database)) {
      return;
    }
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(database)) {
      for (long i = 0; i < Math.min(most, images.size()); i++) {
        Image high = CenterCrop.of(SIDE).apply(images.get(i).image());
        Image low = high.resize(SIDE / SCALE, SIDE / SCALE, Interpolation.BICUBIC);
        String name = String.format(Locale.ROOT, "%04d", i);
        for (String format : new String[] {"png", "jpg"}) {
          write(low, directory.resolve(format).resolve("low").resolve(name + "." + format));
          write(high, directory.resolve(format).resolve("high").resolve(name + "." + format));
        }
        if (i >= writer.written()) {
          Map<String, TensorSource> tensors = new LinkedHashMap<>();
          tensors.put("low", low.toTensor(DType.UINT8, ImageLayout.HWC));
          tensors.put("high", high.toTensor(DType.UINT8, ImageLayout.HWC));
          writer.write(tensors);
        }
      }
      writer.commit();
    }
  }

  private static void write(Image image, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    Pixels pixels = image.pixels();
    BufferedImage made =
        new BufferedImage(pixels.width(), pixels.height(), BufferedImage.TYPE_INT_RGB);
    byte[] rgb = pixels.rgb();
    for (int i = 0; i < rgb.length / 3; i++) {
      int color =
          (rgb[3 * i] & 0xff) << 16 | (rgb[3 * i + 1] & 0xff) << 8 | (rgb[3 * i + 2] & 0xff);
      made.setRGB(i % pixels.width(), i / pixels.width(), color);
    }
    String name = file.toString();
    if (!ImageIO.write(made, name.substring(name.length() - 3), file.toFile())) {
      throw new IOException("this JDK has no encoder for " + file);
    }
  }

  /**
   * Opens the pairs as patches, both of (3, 96, 96).
   *
   * @param format {@code png}, {@code jpg} or {@code lmdb}
   */
  Source<ImagePair> open(String format) throws IOException {
    if (format.equals("lmdb")) {
      LmdbTensors tensors = LmdbTensors.of(directory.resolve("lmdb"));
      Transform<Map<String, StoredTensor>, ImagePair> pair =
          sample -> ImagePair.of(image(sample.get("low")), image(sample.get("high")), SCALE);
      return new Source<>(tensors.map(pair).repeat(PATCHES).map(patches()), tensors);
    }
    Path files = directory.resolve(format);
    Dataset<ImagePair> pairs = PairFolder.of(files.resolve("low"), files.resolve("high"), SCALE);
    return new Source<>(pairs.repeat(PATCHES).map(patches()), pairs);
  }

  private static Image image(StoredTensor tensor) throws IOException {
    byte[] rgb = new byte[Math.toIntExact(tensor.shape().elements())];
    tensor.read().bytes().get(rgb);
    return Image.ofRgb(
        rgb, Math.toIntExact(tensor.shape().length(1)), Math.toIntExact(tensor.shape().length(0)));
  }

  private static RandomTransform<ImagePair, ImagePair> patches() {
    Transform<ImagePair, ImagePair> enlarge =
        pair -> new ImagePair(pair.low().resize(PATCH, PATCH, Interpolation.BICUBIC), pair.high());
    return RandomPairCrop.of(PATCH / SCALE)
        .andThen(RandomPairFlip.horizontal())
        .andThen(RandomPairTurn.of())
        .andThen(enlarge);
  }
}

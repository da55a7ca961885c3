package io.feedline.formats.image.dataset;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.sun.management.ThreadMXBean;
import io.feedline.DataLoader;
import io.feedline.Preprocessor;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.data.FormatException;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.internal.VectorApi;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.transform.Transform;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs of a service become the rows that a loader makes of the files, and torchvision too. */
class DecodeImageTest {

  private static final int SIZE = 16;

  private static final Transform<Image, Image> GEOMETRY =
      Resize.of(20).andThen(CenterCrop.of(SIZE));

  @TempDir private Path folder;

  /** The pipelines of torchvision_serving.py, in its order. */
  private static List<Transform<Image, Image>> pipelines() {
    List<Transform<Image, Image>> pipelines = new ArrayList<>();
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.UINT8)) {
      for (ImageLayout layout : ImageLayout.values()) {
        Transform<Image, Image> last = ToTensor.of(dtype).withLayout(layout);
        pipelines.add(
            dtype == DType.UINT8
                ? GEOMETRY.andThen(last)
                : GEOMETRY.andThen(Normalize.imagenet()).andThen(last));
      }
    }
    return pipelines;
  }

  @Test
  void shouldGiveTheTensorsOfTorchvision() throws Exception {
    for (String[] words : Golden.lines("torchvision_serving.txt")) {
      if (words.length == 2) {
        // Pillow has no reader of it.
        continue;
      }
      for (int i = 0; i < pipelines().size(); i++) {
        Tensor row =
            Preprocessor.of(DecodeImage.of().andThen(pipelines().get(i)))
                .row(Fixtures.bytes(words[0]));
        assertThat(FixtureFiles.crc(row.toByteArray()))
            .as(words[0] + " " + row)
            .isEqualTo(words[1 + i]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jpeg_420.jpg",
        "png_rgba.png",
        "tiff_lzw.tif",
        "webp_lossy.webp",
        "pnm_plain.pgm"
      })
  void shouldGiveTheRowOfAValidationBatch(String name) throws Exception {
    Path file = Files.createDirectory(folder.resolve("class")).resolve(name + ".jpg");
    byte[] bytes = Fixtures.bytes(name);
    Files.write(file, bytes);
    for (Transform<Image, Image> pipeline : pipelines()) {
      Preprocessor<Object> preprocessor = Preprocessor.of(DecodeImage.of().andThen(pipeline));
      try (ImageDataset images = ImageDataset.open(folder).withTransform(pipeline);
          DataLoader<LabeledImage> loader = DataLoader.builder(images).numWorkers(2).build();
          Batch validation = loader.iterator().next();
          Batch batch = preprocessor.batch(List.of(file, bytes, new ByteArrayInputStream(bytes)))) {
        Tensor expected = validation.tensor("image").select(0);
        for (int row = 0; row < batch.size(); row++) {
          assertThat(batch.tensor(0).select(row).bytes()).isEqualTo(expected.bytes());
        }
        Tensor given =
            Tensor.of(
                expected.dtype(), expected.shape(), ByteBuffer.allocateDirect(expected.byteSize()));
        preprocessor.writeRow(bytes, given);
        assertThat(given.bytes()).isEqualTo(expected.bytes());
      }
    }
  }

  /** ImageIO's decoders of these are exact, so that the pixels are those of the encoded file. */
  @Test
  void shouldTakeTheSamplesOfABufferedImage() throws Exception {
    for (Fixtures.Fixture fixture : Fixtures.images("golden.csv")) {
      byte[] data = Fixtures.bytes(fixture.name());
      BufferedImage buffered =
          fixture.name().matches("(png|bmp).*")
              ? ImageIO.read(new ByteArrayInputStream(data))
              : null;
      if (buffered == null) {
        continue;
      }
      for (ImageMode mode : List.of(ImageMode.RGB, ImageMode.GRAY, ImageMode.RGBA)) {
        Transform<Object, Image> decode = DecodeImage.of(DecodeOptions.DEFAULT.withMode(mode));
        Preprocessor<Object> preprocessor = Preprocessor.of(decode.andThen(GEOMETRY));

        assertThat(preprocessor.row(buffered).bytes())
            .as("%s in mode %s", fixture, mode)
            .isEqualTo(preprocessor.row(data).bytes());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        BufferedImage.TYPE_INT_RGB,
        BufferedImage.TYPE_INT_ARGB,
        BufferedImage.TYPE_INT_BGR,
        BufferedImage.TYPE_3BYTE_BGR,
        BufferedImage.TYPE_4BYTE_ABGR
      })
  void shouldTakeBufferedImagesOfEachType(int type) throws Exception {
    byte[] bytes = Fixtures.bytes("png_rgb.png");
    BufferedImage file = ImageIO.read(new ByteArrayInputStream(bytes));
    BufferedImage buffered = new BufferedImage(file.getWidth(), file.getHeight(), type);
    buffered.createGraphics().drawImage(file, 0, 0, null);
    Preprocessor<Object> preprocessor = Preprocessor.of(DecodeImage.of().andThen(GEOMETRY));

    assertThat(preprocessor.row(buffered).bytes()).isEqualTo(preprocessor.row(bytes).bytes());
  }

  @Test
  void shouldDecodeWithTheOptionsOfTheDataset() throws Exception {
    byte[] bytes = Fixtures.bytes("exif_6.jpg");
    DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(true).withMode(ImageMode.GRAY);

    Image image = DecodeImage.of(options).apply(bytes);

    Image expected = Image.ofEncoded(bytes, "exif_6.jpg", options);
    assertThat(Golden.written(image)).isEqualTo(Golden.written(expected));
    assertThat(DecodeImage.of(options)).asString().contains("exifRotation=true", "mode=gray");
    assertThat(DecodeImage.of().apply(image)).isSameAs(image);
  }

  @Test
  void shouldServeAsThePipelineBesideTheModelSays() throws Exception {
    DecodeOptions options = DecodeOptions.DEFAULT.withExifRotation(true).withMaxPixels(1 << 20);
    for (Transform<Image, Image> pipeline : pipelines()) {
      Preprocessor<Object> trained = Preprocessor.of(DecodeImage.of(options).andThen(pipeline));
      trained.withClasses(List.of("a", "b")).save(folder);

      Preprocessor<Object> served = Preprocessor.load(folder);

      assertThat(served.transform()).isEqualTo(trained.transform());
      assertThat(served.row(Fixtures.bytes("exif_6.jpg")).bytes())
          .isEqualTo(trained.row(Fixtures.bytes("exif_6.jpg")).bytes());
    }
    assertThat(Files.readString(folder.resolve("pipeline.json")))
        .contains("{\"DecodeImage\":{\"mode\":\"rgb\",\"exifRotation\":true,");
  }

  /** The files of torchvision's presets, and the tensors that these give. */
  @Test
  void shouldServeModelsOfTorchvisionWithItsTensors() throws Exception {
    List<String> images = List.of("draft_420.jpg", "jpeg_progressive.jpg", "png_rgba.png");
    for (String[] words : Golden.lines("torchvision_presets.txt")) {
      Files.writeString(folder.resolve("pipeline.json"), words[1]);
      Preprocessor<Object> preprocessor = Preprocessor.load(folder);
      for (int i = 0; i < images.size(); i++) {
        Tensor row = preprocessor.row(Fixtures.bytes(images.get(i)));
        assertThat(FixtureFiles.crc(row.toByteArray()))
            .as(words[0] + " " + images.get(i))
            .isEqualTo(words[2 + i]);
      }
    }
  }

  @Test
  void shouldRefuseWhatIsNoImage() {
    Preprocessor<Object> preprocessor = Preprocessor.of(DecodeImage.of().andThen(GEOMETRY));
    byte[] photograph = Fixtures.bytes("jpeg_420.jpg");
    byte[] truncated = Arrays.copyOf(photograph, photograph.length / 2);

    for (byte[] upload : List.of(new byte[0], "hello".getBytes(UTF_8), truncated)) {
      assertThatThrownBy(() -> preprocessor.row(upload)).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> preprocessor.batch(List.of(photograph, upload)))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("input 1: ")
          .hasMessageContaining(upload.length + " bytes");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> preprocessor.row("a path as text"))
        .withMessageContaining("java.lang.String");
  }

  @Test
  void shouldAllocateLittleWhereTheCallerGivesMemory() throws Exception {
    assumeThat(VectorApi.inUse()).as("vectors are objects until they are compiled").isFalse();
    Preprocessor<byte[]> preprocessor =
        Preprocessor.of(DecodeImage.of().andThen(Resize.of(256)).andThen(CenterCrop.of(224)));
    byte[] upload = Fixtures.bytes("jpeg_420.jpg");
    Tensor row = preprocessor.row(upload);
    for (int i = 0; i < 20; i++) {
      preprocessor.writeRow(upload, row);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    preprocessor.writeRow(upload, row);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    // The recipe and its tables; pixels are 150,528 floats.
    assertThat(allocated).isLessThan(64 << 10);
  }
}

package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.formats.image.CountingSource;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.Mask;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.TestTargets;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transforms;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/**
 * The rules that a loader relies on in every transform of images. The test of a new one extends
 * this class and gives an instance of it; a pure transform is wrapped with {@link
 * RandomTransform#from}.
 */
public abstract class TransformContract {

  private static final int[][] SIZES = {{1, 1}, {40, 30}, {30, 40}, {97, 3}, {64, 64}};
  private static final int DRAWS = 6;

  /** Returns the transform under test, as a user would configure it. */
  protected abstract RandomTransform<Image, Image> transform();

  /** Returns the classes that {@link Transforms#fromJson} needs to read the transform back. */
  protected Class<?>[] classes() {
    return new Class<?>[0];
  }

  @Test
  void shouldNotDecodeWhenAppliedAndAtMostOnceWhenWritten() throws Exception {
    for (int[] size : SIZES) {
      CountingSource source = new CountingSource(size[0], size[1]);

      Image result = transform().apply(source.image(), random(3));

      assertThat(result.shape().elements()).isPositive();
      assertThat(source.decodes()).isZero();
      Golden.written(result);
      assertThat(source.decodes()).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void shouldLeaveItsInputAsItWas() throws Exception {
    Image input = TestImage.image(40, 30);
    String description = input.toString();
    byte[] before = Golden.bytes(input);

    transform().apply(input, random(3));

    assertThat(input).hasToString(description);
    assertThat(Golden.bytes(input)).isEqualTo(before);
  }

  @Test
  void shouldGiveEqualImagesForEqualGenerators() throws Exception {
    RandomTransform<Image, Image> transform = transform();
    for (int[] size : SIZES) {
      for (int index = 0; index < DRAWS; index++) {
        Image image = TestImage.image(size[0], size[1]);
        byte[] first = Golden.bytes(transform.apply(image, random(index)));
        byte[] again = Golden.bytes(transform.apply(image, random(index)));
        byte[] ofAnother = Golden.bytes(transform().apply(image, random(index)));

        assertThat(again).isEqualTo(first);
        assertThat(ofAnother).isEqualTo(first);
      }
    }
  }

  @Test
  void shouldWriteEveryElementOfItsShapeIntoHeapAndDirectMemory() throws Exception {
    for (int[] size : SIZES) {
      Image result = transform().apply(TestImage.image(size[0], size[1]), random(4));

      assertThat(result.shape()).isEqualTo(shape(result));
      assertThat(writtenOver(result, (byte) 0x55)).isEqualTo(Golden.bytes(result));
      assertThat(writtenOver(result, (byte) 0xAA)).isEqualTo(Golden.bytes(result));
      Pixels pixels = result.pixels();
      assertThat(pixels.width()).isEqualTo(result.width());
      assertThat(pixels.height()).isEqualTo(result.height());
      assertThat(pixels.rgb()).hasSize(3 * result.width() * result.height());
    }
  }

  @Test
  void shouldTakeAMaskAndAFurtherImageWithTheImage() throws Exception {
    for (int index = 0; index < DRAWS; index++) {
      Joint sample =
          new Joint(TestImage.image(40, 30), TestTargets.ids(40, 30), TestImage.image(80, 60));

      Joint result = JointTransform.<Joint>of(transform()).apply(sample, random(index));

      Image image = result.image();
      assertThat(result.mask().shape()).isEqualTo(Shape.of(image.height(), image.width()));
      assertThat(result.mask().ids()).hasSize(image.height() * image.width());
      assertThat(result.twice().width()).isEqualTo(2 * image.width());
      assertThat(result.twice().height()).isEqualTo(2 * image.height());
      assertThat(result.twice().dtype()).isEqualTo(image.dtype());
    }
  }

  private record Joint(Image image, Mask mask, Image twice) {}

  @Test
  void shouldBeSharedByThreads() throws Exception {
    RandomTransform<Image, Image> shared = transform();
    List<ByteBuffer> expected = allResults(shared);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Callable<List<ByteBuffer>> work = () -> allResults(shared);
      for (Future<List<ByteBuffer>> results : threads.invokeAll(List.of(work, work, work, work))) {
        assertThat(results.get()).isEqualTo(expected);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldBeAValueThatIsReadAsItWasWritten() throws Exception {
    RandomTransform<Image, Image> transform = transform();
    String text = Transforms.toJson(transform);

    RandomTransform<Image, Image> back = Transforms.fromJson(text, classes());

    assertThat(transform()).isEqualTo(transform).hasSameHashCodeAs(transform);
    assertThat(back).isEqualTo(transform).hasToString(transform.toString());
    assertThat(transform.toString()).matches("[A-Z]\\w+(\\(.*\\)|\\[.*])").doesNotContain("@");
    assertThat(allResults(back)).isEqualTo(allResults(transform));
  }

  private static List<ByteBuffer> allResults(RandomTransform<Image, Image> transform)
      throws Exception {
    List<ByteBuffer> results = new ArrayList<>();
    for (int[] size : SIZES) {
      for (int index = 0; index < DRAWS; index++) {
        Image image = TestImage.image(size[0], size[1]);
        results.add(Golden.written(transform.apply(image, random(index))));
      }
    }
    return results;
  }

  private static SampleRandom random(long index) {
    return new SampleRandom(17, 2, index, 0);
  }

  private static byte[] writtenOver(Image image, byte former) throws Exception {
    int elementBytes = image.dtype() == DType.UINT8 ? 1 : 4;
    byte[] bytes = new byte[Math.toIntExact(image.shape().elements() * elementBytes)];
    Arrays.fill(bytes, former);
    image.writeTo(ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()));
    return bytes;
  }

  private static Shape shape(Image image) {
    int channels = image.mode().channels();
    return image.layout() == ImageLayout.CHW
        ? Shape.of(channels, image.height(), image.width())
        : Shape.of(image.height(), image.width(), channels);
  }
}

package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.PutOff;
import com.example.Upright;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.internal.DecodingClock;
import io.feedline.internal.ReadMeter;
import io.feedline.stats.LoaderStats;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** An image tells the loader how much of its writing is decoding. */
class DecodingTimeTest {

  private static final int SIDE = 40;

  /** A clock that advances a nanosecond with each reading, and records what it is given. */
  private static final class Recorder implements DecodingClock {
    private final boolean timing;
    private final AtomicLong looks = new AtomicLong();
    private int begun;
    private long writing = -1;
    private final List<String> changes = new ArrayList<>();

    Recorder(boolean timing) {
      this.timing = timing;
    }

    @Override
    public boolean timing() {
      return timing;
    }

    @Override
    public long now() {
      return looks.getAndIncrement();
    }

    @Override
    public void leaveOut() {
      // Nothing has been counted.
    }

    @Override
    public void decode() {
      begun++;
    }

    @Override
    public void decoded(long nanos) {
      writing = nanos;
    }

    @Override
    public String ownStage() {
      return null;
    }

    @Override
    public int transform(Object function) {
      changes.add("begins");
      return 7;
    }

    @Override
    public void transformed(int before) {
      changes.add("ends, after " + before);
    }
  }

  private static void metered(Recorder clock, ThrowingCallable work) throws Throwable {
    ReadMeter before = new ReadMeter(clock).enter();
    try {
      work.call();
    } finally {
      ReadMeter.restore(before);
    }
  }

  private static Recorder write(boolean timing) throws Throwable {
    Recorder clock = new Recorder(timing);
    metered(
        clock,
        () -> {
          write(image());
          image().pixels();
        });
    return clock;
  }

  private static void write(Image image) throws IOException {
    image.writeTo(ByteBuffer.allocate(3 * SIDE * SIDE));
  }

  private static LoaderStats.Epoch read(Dataset<?> dataset) {
    try (DataLoader<?> loader = DataLoader.builder(dataset).numWorkers(1).build()) {
      loader.forEach(Batch::close);
      return loader.stats().total();
    }
  }

  private static ImageDataset images() {
    return FakeData.builder(8).imageSize(64, 64).build();
  }

  private static Image image() {
    return Image.ofRgb(new byte[3 * SIDE * SIDE], SIDE, SIDE)
        .toTensor(DType.UINT8, ImageLayout.CHW);
  }

  /** Rows 0 and 32 are timed, and took a nanosecond each: so 40 rows took 40. */
  @Test
  void shouldTellHowLongItsRowsTookToWriteFromSomeOfThem() throws Throwable {
    Recorder clock = write(true);
    assertThat(clock.begun).isEqualTo(1);
    assertThat(clock.writing).isEqualTo(SIDE);
    assertThat(clock.looks).hasValue(4);

    Recorder untimed = write(false);
    assertThat(untimed.begun).isZero();
    assertThat(untimed.looks).hasValue(0);
  }

  /** Two operations on pixels, and a rotation, which decodes the whole image first. */
  @Test
  void shouldNotCountChangesOfPixelsAsDecoding() throws Throwable {
    List<String> seen = new ArrayList<>();
    Recorder clock = new Recorder(true);
    PixelOperation operation = (rgb, width, height) -> seen.addAll(clock.changes);
    metered(clock, () -> write(image().map(operation).map(operation)));
    assertThat(seen).containsExactly("begins", "begins", "ends, after 7", "begins");
    assertThat(clock.changes).hasSize(4);
    assertThat(clock.begun).isEqualTo(1);

    metered(clock, () -> write(image().rotate(30, false, Interpolation.NEAREST, 0)));
    assertThat(clock.changes).hasSize(6).endsWith("begins", "ends, after 7");
  }

  @Test
  void shouldCountATransformOfTheUsersByItsName() {
    assertThat(read(images().withTransform(new Upright())).stages())
        .extracting(LoaderStats.Stage::name)
        .contains("reading", "decoding", "Upright", "writing");
  }

  /** Requires that more was charged to a stage than to transforms without a name. */
  private static void assertCharged(String stage, Dataset<LabeledImage> dataset) {
    LoaderStats.Epoch total = read(dataset);
    Duration charged = total.stage(stage).orElseThrow().elapsed();
    Duration unnamed =
        total.stage("transforming").map(LoaderStats.Stage::elapsed).orElse(Duration.ZERO);
    assertThat(charged).as("%s", total).isGreaterThan(unnamed);
  }

  /** The pixels change when they are decoded, which no transform waits for. */
  @Test
  void shouldChargeWorkThatIsPutOffToTheTransformThatAddedIt() {
    ImageDataset images = images();
    assertCharged("PutOff", images.withTransform(new PutOff()));
    assertCharged("PutOff", images.withTransform(RandomTransform.from(new PutOff())));
    assertCharged(
        "PutOff",
        images.withTransform(
            RandomHorizontalFlip.of().andThen(new PutOff()).andThen(Normalize.imagenet())));
    assertCharged(
        "augment",
        images.map(
            "augment",
            sample -> sample.withImage(sample.image().map((rgb, width, height) -> PutOff.spin()))));
    assertCharged(
        "turn",
        FakeData.builder(8)
            .imageSize(400, 400)
            .build()
            .map(
                "turn",
                sample ->
                    sample.withImage(sample.image().rotate(30, false, Interpolation.BILINEAR, 0))));
  }

  /** With a target that goes along, and with the image alone. */
  @Test
  void shouldCountATransformOfTheUsersThatIsAppliedToWholeSamples() {
    Upright own = new Upright();
    Dataset<LabeledImage> images = images();
    for (Dataset<List<Object>> samples :
        List.<Dataset<List<Object>>>of(
            images.map(sample -> List.<Object>of(sample.image())),
            images.map(sample -> List.<Object>of(sample.image(), sample.image())))) {
      for (Dataset<List<Object>> dataset :
          List.of(
              samples.map(JointTransform.<List<Object>>of(own)),
              samples.map(JointTransform.<List<Object>>of(RandomTransform.from(own))))) {
        assertThat(read(dataset).stage("Upright")).isPresent();
      }
    }
  }

  @Test
  void shouldCountMasksAsDecoding() throws Throwable {
    for (TensorSource masks : List.of(TestTargets.ids(9, 7), TestTargets.instances(9, 7))) {
      for (boolean timing : new boolean[] {true, false}) {
        Recorder clock = new Recorder(timing);
        metered(clock, () -> TestTargets.written(masks));
        assertThat(clock.begun).isEqualTo(timing ? 1 : 0);
        assertThat(clock.writing).isEqualTo(timing ? 0 : -1);
      }
    }
  }
}

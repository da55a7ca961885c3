package io.feedline.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import ai.djl.Device;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.ErrorPolicy;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.examples.formats.ReadParquet;
import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.examples.shared.LocalObjectStore;
import io.feedline.formats.cli.Feedline;
import io.feedline.formats.folder.ImageFiles;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.SanitizeBoundingBoxes;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.remote.RemoteFileSystem;
import io.feedline.formats.table.TableDataset;
import io.feedline.formats.table.TableImages;
import io.feedline.formats.table.Windows;
import io.feedline.gpu.DeviceLoader;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenSequence;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * The mistakes that the guide warns of, made on purpose: each gives the message that a page quotes.
 */
final class GuideErrors {

  /** A mistake, which ends in an exception. */
  interface Mistake {
    void make() throws Exception;
  }

  private final Path temp;
  private final ImageDataset images = FakeData.builder(20).imageSize(40, 30).classes(2).build();

  GuideErrors(Path temp) {
    this.temp = temp;
  }

  /** The message of each mistake, by its name. Paths are relative to the temporary directory. */
  Map<String, String> messages() throws Exception {
    Map<String, Mistake> mistakes = new LinkedHashMap<>();
    mistakes.put("images of different sizes", this::batchImagesOfDifferentSizes);
    mistakes.put("a folder without images", this::openAFolderWithoutImages);
    mistakes.put("a missing column of a CSV", this::nameAMissingColumn);
    mistakes.put("16 bits", this::jitterSixteenBits);
    mistakes.put("no such bucket", this::openAMissingBucket);
    mistakes.put("rows of different lengths", this::batchTextsOfDifferentLengths);
    mistakes.put("a long text", this::packALongText);
    mistakes.put("a missing field of Parquet", this::nameAMissingField);
    mistakes.put("a broken row of a table", this::readABrokenRow);
    mistakes.put("times that go back", () -> window(2, "05:00", "03:00"));
    mistakes.put("a time that comes twice", () -> window(2, "02:00", "02:00"));
    mistakes.put("a missing row", () -> window(2, "01:00", "02:00", "04:00"));
    mistakes.put("short series", () -> window(120, "01:00", "02:00"));
    mistakes.put("boxes of different numbers", this::batchBoxesWithoutPadding);
    mistakes.put(
        "three edges of a box",
        () -> BoundingBoxes.of(new float[] {30, 10, 5}, BoundingBoxes.Format.XYXY, 80, 60));
    mistakes.put("labels in an array", this::removeABoxBesideAnArray);
    mistakes.put("no GPU", this::askForAGpu);
    mistakes.put("16 bits on a GPU", this::sendSixteenBits);
    mistakes.put(
        "MixUp of bytes",
        () ->
            read(
                DataLoader.builder(images.withTransform(ToTensor.of(DType.UINT8)))
                    .batchSize(4)
                    .batchTransform(MixUp.of(2))));
    mistakes.put("a rank beyond the world", () -> new WorldInfo(4, 4));
    mistakes.put("another number of ranks", this::resumeWithOtherRanks);
    mistakes.put(
        "another dataset",
        () -> resume(DataLoader.builder(images.subset(0, 10)), state(DataLoader.builder(images))));
    mistakes.put("another seed", () -> resume(shuffled(2), state(shuffled(1))));
    mistakes.put("a damaged state", this::resumeADamagedState);
    mistakes.put("a truncated image", () -> read(DataLoader.builder(ImageFolder.of(damaged()))));
    mistakes.put(
        "a budget",
        () ->
            read(
                DataLoader.builder(ImageFolder.of(damaged()))
                    .batchSize(2)
                    .errorPolicy(ErrorPolicy.skip().atMost(1))));
    mistakes.put("three open batches", this::keepBatchesOpen);
    mistakes.put("a closed loader", this::useAClosedLoader);
    mistakes.put("a sample that never comes", this::waitForASampleThatHangs);
    mistakes.put(
        "shuffle of a stream",
        () -> read(DataLoader.builder(IterableDataset.of(List.of(1, 2, 3))).shuffle(true)));
    mistakes.put(
        "no collation",
        () -> read(DataLoader.builder(Dataset.of(2, i -> new Opaque())).batchSize(2)));
    mistakes.put("a sample that is null", () -> read(DataLoader.builder(Dataset.of(2, i -> null))));
    Map<String, String> messages = new LinkedHashMap<>();
    for (Map.Entry<String, Mistake> mistake : mistakes.entrySet()) {
      messages.put(mistake.getKey(), message(mistake.getKey(), mistake.getValue()));
    }
    messages.put("a target that is there", feedline("convert", folder(), used(), "--to", "mds"));
    messages.put("no format", feedline("inspect", temp.resolve("nothing")));
    return messages;
  }

  private String message(String name, Mistake mistake) {
    Throwable thrown = catchThrowable(mistake::make);
    assertThat(thrown).as(name).isNotNull();
    return shown(thrown.getClass().getSimpleName() + ": " + thrown.getMessage());
  }

  private String shown(String text) {
    return text.replace(temp + "/", "").strip();
  }

  private String feedline(Object... args) {
    StringWriter errors = new StringWriter();
    PrintWriter nothing = new PrintWriter(new StringWriter());
    Feedline.run(
        nothing,
        new PrintWriter(errors),
        Arrays.stream(args).map(Object::toString).toArray(String[]::new));
    return shown(errors.toString());
  }

  private void readABrokenRow() throws Exception {
    Path file = Files.writeString(temp.resolve("houses.csv"), "area,price\n80,1\nx,2\n");
    try (TableDataset<Map<String, Object>> houses =
        TableDataset.builder(file).features("area").build()) {
      houses.get(1);
    }
  }

  /**
   * Reads a table that has these times of a day, which for a repeated hour is the last of October.
   */
  private void window(int length, String... times) throws Exception {
    boolean repeated = times.length == 2 && times[0].equals(times[1]);
    StringBuilder csv = new StringBuilder("sensor,ts,load\n");
    for (String time : times) {
      csv.append("a,%s %s,1\n".formatted(repeated ? "2024-10-27" : "2024-05-01", time));
    }
    Path file = Files.writeString(temp.resolve("demand.csv"), csv);
    Windows.over(file)
        .key("sensor")
        .time("ts")
        .every(Duration.ofHours(1))
        .past("load")
        .length(length)
        .build()
        .close();
  }

  private static void read(DataLoaderBuilder<?> builder) {
    try (DataLoader<?> loader = builder.numWorkers(1).build()) {
      for (Batch batch : loader) {
        batch.close();
      }
    }
  }

  private Path folder() throws IOException {
    for (String name : List.of("cat", "dog")) {
      Path directory = Files.createDirectories(temp.resolve("images").resolve(name));
      for (int i = 0; i < 4; i++) {
        Files.write(directory.resolve(i + ".ppm"), images.encoded(i).bytes());
      }
    }
    return temp.resolve("images");
  }

  private Path used() throws IOException {
    Path used = Files.createDirectories(temp.resolve("packed"));
    Files.writeString(used.resolve("notes.txt"), "mine");
    return used;
  }

  // ---- images -------------------------------------------------------------------------------

  private void batchImagesOfDifferentSizes() {
    ImageDataset other = FakeData.builder(1).imageSize(50, 30).build();
    read(DataLoader.builder(Dataset.concat(images.subset(0, 1), other)).batchSize(2));
  }

  private void openAFolderWithoutImages() throws IOException {
    Files.createDirectories(temp.resolve("empty").resolve("cat"));
    ImageFolder.of(temp.resolve("empty"));
  }

  private void nameAMissingColumn() throws IOException {
    Path csv = Files.writeString(temp.resolve("animals.csv"), "file,animal\n0.ppm,cat\n");
    ImageFiles.ofCsv(csv, "file", "species");
  }

  private void jitterSixteenBits() throws IOException {
    Path directory = Files.createDirectories(temp.resolve("depth"));
    byte[] header = "P5 1 1 65535\n".getBytes(US_ASCII);
    Files.write(directory.resolve("0.pgm"), Arrays.copyOf(header, header.length + 2));
    read(
        DataLoader.builder(
            ImageFiles.of(directory)
                .withDecodeOptions(DecodeOptions.DEFAULT.withMode(ImageMode.GRAY16))
                .withTransform(ColorJitter.of(0.4, 0.4, 0.4, 0.1))));
  }

  private void openAMissingBucket() throws IOException {
    try (LocalObjectStore server = new LocalObjectStore();
        FileSystem store =
            RemoteFileSystem.s3("pictures")
                .endpoint(server.endpoint())
                .credentials(() -> LocalObjectStore.CREDENTIALS)
                .build()) {
      ImageDataset.open(store.getPath("train")).close();
    }
  }

  private record Boxed(Image image, BoundingBoxes boxes, long... labels) {}

  private void removeABoxBesideAnArray() throws Exception {
    float[] boxes = {1, 1, 9, 9, 5, 5, 5, 5};
    JointTransform.<Boxed>of(SanitizeBoundingBoxes.of())
        .apply(
            new Boxed(
                images.get(0).image(),
                BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, 40, 30),
                1,
                2));
  }

  private record Boxes(BoundingBoxes boxes) {}

  private void batchBoxesWithoutPadding() {
    Dataset<Boxes> samples =
        Dataset.of(
            2,
            i ->
                new Boxes(
                    BoundingBoxes.of(
                        new float[4 * (1 + (int) i)], BoundingBoxes.Format.XYXY, 80, 60)));
    read(DataLoader.builder(samples).batchSize(2));
  }

  // ---- text and tables ----------------------------------------------------------------------

  private record Text(int[] ids) {}

  private void batchTextsOfDifferentLengths() {
    read(
        DataLoader.builder(
                Dataset.of(List.of(new Text(new int[] {5, 6, 7}), new Text(new int[] {8}))))
            .batchSize(2));
  }

  private void packALongText() {
    int[] lengths = {5, 3000};
    TokenPacking.of(2048)
        .pack(Dataset.of(2, i -> TokenSequence.of(new int[lengths[(int) i]])), lengths);
  }

  private void nameAMissingField() throws IOException {
    Path file = temp.resolve("train.parquet");
    try (InputStream made = ReadParquet.class.getResourceAsStream("textures.parquet")) {
      Files.copy(made, file);
    }
    TableImages.builder(file).imageField("picture").build().close();
  }

  // ---- devices ------------------------------------------------------------------------------

  private void askForAGpu() {
    try (DataLoader<?> loader = DataLoader.builder(images).build()) {
      DeviceLoader.of(loader, Device.gpu()).close();
    }
  }

  private void sendSixteenBits() {
    Dataset<short[]> samples = Dataset.of(2, i -> new short[] {1, 2});
    try (DataLoader<short[]> loader = DataLoader.builder(samples).build();
        DeviceLoader onDevice = DeviceLoader.of(loader, Device.cpu())) {
      onDevice.iterator().next().close();
    }
  }

  // ---- resuming -----------------------------------------------------------------------------

  private static String state(DataLoaderBuilder<?> builder) {
    try (DataLoader<?> loader = builder.numWorkers(1).build()) {
      try (BatchIterator batches = loader.iterator();
          Batch batch = batches.next()) {
        return batch.size() > 0 ? loader.state().toJson() : "";
      }
    }
  }

  private static void resume(DataLoaderBuilder<?> builder, String state) {
    try (DataLoader<?> loader = builder.numWorkers(1).build()) {
      loader.resume(LoaderState.fromJson(state));
    }
  }

  private void resumeWithOtherRanks() {
    long[] sizes = {10, 10};
    DataLoaderBuilder<?> of2 =
        DataLoader.builder(images)
            .sampler(
                ShardedSampler.builder(sizes).deal(new WorldInfo(0, 2), Remainder.DROP).build());
    DataLoaderBuilder<?> alone =
        DataLoader.builder(images)
            .sampler(
                ShardedSampler.builder(sizes).deal(new WorldInfo(0, 1), Remainder.DROP).build());
    resume(alone, state(of2));
  }

  private DataLoaderBuilder<?> shuffled(long seed) {
    return DataLoader.builder(images).shuffle(true).seed(seed);
  }

  private void resumeADamagedState() {
    String state = state(DataLoader.builder(images));
    resume(DataLoader.builder(images), state.replace("\"position\":1", "\"position\":2"));
  }

  // ---- bad data -----------------------------------------------------------------------------

  private Path damaged() throws IOException {
    Path directory = Files.createDirectories(temp.resolve("damaged").resolve("cat"));
    Path source = new GeneratedFolder(temp, 1, 1, 0).make().resolve("train");
    try (ImageDataset made = ImageFolder.of(source)) {
      byte[] jpeg = made.encoded(0).bytes();
      Files.write(directory.resolve("0001.jpg"), Arrays.copyOf(jpeg, jpeg.length / 2));
      Files.write(directory.resolve("0002.jpg"), Arrays.copyOf(jpeg, jpeg.length / 2));
    }
    return directory.getParent();
  }

  private static final class Opaque {}

  // ---- memory -------------------------------------------------------------------------------

  private void keepBatchesOpen() {
    try (DataLoader<?> loader = DataLoader.builder(images).numWorkers(1).build();
        BatchIterator batches = loader.iterator()) {
      for (int i = 0; i < 3; i++) {
        batches.next();
      }
    }
  }

  private void waitForASampleThatHangs() {
    CountDownLatch released = new CountDownLatch(1);
    Dataset<Integer> hanging =
        Dataset.of(
            2,
            i -> {
              released.await();
              return 1;
            });
    try (DataLoader<?> loader =
            DataLoader.builder(hanging).numWorkers(1).timeout(Duration.ofMillis(1)).build();
        BatchIterator batches = loader.iterator()) {
      try {
        batches.next();
      } finally {
        released.countDown();
      }
    }
  }

  private void useAClosedLoader() {
    DataLoader<?> loader = DataLoader.builder(images).numWorkers(1).build();
    loader.close();
    loader.iterator().next();
  }
}

package io.feedline.examples;

import static io.feedline.formats.image.pixel.Interpolation.BILINEAR;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.Preprocessor;
import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.Collator;
import io.feedline.batch.DType;
import io.feedline.batch.ListCollator.BatchAssembler;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.Dataset.Fold;
import io.feedline.data.IterableDataset;
import io.feedline.data.SampleStream;
import io.feedline.examples.shared.SmallImages;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.dataset.FakeData;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.transform.AugMix;
import io.feedline.formats.image.transform.AutoAugment;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.ConvertDtype;
import io.feedline.formats.image.transform.ElasticTransform;
import io.feedline.formats.image.transform.Grayscale;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandAugment;
import io.feedline.formats.image.transform.RandomAdjustSharpness;
import io.feedline.formats.image.transform.RandomAutocontrast;
import io.feedline.formats.image.transform.RandomChannelPermutation;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomEqualize;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomInvert;
import io.feedline.formats.image.transform.RandomPerspective;
import io.feedline.formats.image.transform.RandomPhotometricDistort;
import io.feedline.formats.image.transform.RandomPosterize;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.RandomShortestSize;
import io.feedline.formats.image.transform.RandomSolarize;
import io.feedline.formats.image.transform.RandomZoomOut;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.ScaleJitter;
import io.feedline.formats.image.transform.TenCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.image.transform.TrivialAugmentWide;
import io.feedline.formats.image.transform.quality.GaussianNoise;
import io.feedline.formats.image.transform.quality.JPEG;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.gpu.PinnedAllocator;
import io.feedline.packing.PackedDataset;
import io.feedline.packing.PackingCollator;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenPacking.Overlong;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.packing.TokenPacking.Strategy;
import io.feedline.packing.TokenSequence;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.DistributedSampler;
import io.feedline.sampler.LengthBucketBatchSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SequentialSampler;
import io.feedline.sampler.ShardedSampler;
import io.feedline.sampler.SubsetRandomSampler;
import io.feedline.sampler.TokenBudgetBatchSampler;
import io.feedline.sampler.TorchRandom;
import io.feedline.sampler.TorchSampler;
import io.feedline.sampler.WeightedRandomSampler;
import io.feedline.sampler.WorldInfo;
import io.feedline.transform.RandomApply;
import io.feedline.transform.RandomChoice;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Shows the idioms of PyTorch and torchvision in Feedline: {@code FromPyTorch [DIR]}, where DIR
 * keeps the generated images. {@code FROM-PYTORCH.md} compares each idiom with its Python code.
 */
public final class FromPyTorch {

  private static final Device DEVICE = Device.cpu();

  private FromPyTorch() {}

  /** Prints the result of each idiom. */
  public static void main(String[] args) throws IOException {
    ImageDataset images = FakeData.builder(20).imageSize(40, 30).classes(2).build();

    defineDatasets(args);
    combineDatasets(images);
    splitForTraining(images);
    crossValidate(images);
    splitAsPyTorchDoes(images);

    Dataset<LabeledImage> dataset = images.withTransform(Resize.of(24, 24));
    chooseOptions(dataset);
    iterate(dataset);
    takeOneBatch(dataset);
    withoutBatches(dataset);
    moveToDevice(dataset);
    feedDevice(images);
    shuffleAsPyTorchDoes(dataset);
    saveAndLoad(dataset);

    chooseSampler(dataset, images.labels());
    shareAmongRanks(dataset);

    collate();
    pad();
    packTokens();
    transform(images);
    mix(images);
  }

  // ---- datasets -----------------------------------------------------------------------------

  /** A user's own dataset, as a class. */
  private static final class Squares implements Dataset<Map<String, Object>> {
    @Override
    public long size() {
      return 10;
    }

    @Override
    public Map<String, Object> get(long index) {
      return Map.of("x", (float) index, "y", (float) (index * index));
    }
  }

  private static void defineDatasets(String... args) throws IOException {
    print("class", new Squares());

    Dataset<Double> squares = Dataset.of(10, i -> (double) i * i);
    print("function", squares);

    Dataset<String> words = Dataset.of(List.of("a", "list", "of", "words"));
    print("list", words);

    Tensor x = Tensor.of(new float[] {0, 0, 0, 1, 1, 0, 1, 1}, 4, 2);
    Tensor y = Tensor.of(new long[] {0, 1, 1, 0});
    Dataset<Map<String, Tensor>> rows = Dataset.ofTensors(Map.of("x", x, "y", y));
    print("tensors", rows);

    IterableDataset<Integer> stream = IterableDataset.of(List.of(1, 2, 3));
    try (DataLoader<Integer> loader = DataLoader.builder(stream).batchSize(3).build()) {
      print("stream", loader);
    }

    IterableDataset<Integer> generator =
        IterableDataset.from(
            () -> SampleStream.of(Stream.iterate(1, i -> 2 * i).limit(3).iterator()));
    try (DataLoader<Integer> loader = DataLoader.builder(generator).batchSize(3).build()) {
      print("generator", loader);
    }

    Path path = SmallImages.of(args).folder().path();
    ImageDataset images = ImageFolder.of(path).withTransform(Resize.of(32, 32));
    print("folder of " + images.classes().size() + " classes", images);

    print("fake", FakeData.builder(100).imageSize(32, 32).classes(10).build());
  }

  private static void combineDatasets(ImageDataset images) {
    print("subset", images.subset(new long[] {3, 1, 4}));
    print("concatenation", Dataset.concat(images, images.subset(0, 5)));
    Dataset<Integer> ids = Dataset.of(images.size(), i -> (int) i);
    print("stack", Dataset.stack(Map.of("image", images, "id", ids)));
    print("zip", images.zip(ids));
    print("map", ids.map(id -> 0.5f * id));
    print("filter", ids.filter(id -> id % 2 == 0));
    print("other labels", images.map(sample -> sample.withLabel(1 - sample.label())));
  }

  private static void splitForTraining(ImageDataset images) throws IOException {
    List<ImageDataset> parts = images.split(new double[] {0.8, 0.2}, 42);
    ImageDataset train = parts.get(0).withTransform(RandomResizedCrop.of(24));
    ImageDataset val = parts.get(1).withTransform(CenterCrop.of(24));
    print("training part", train);
    print("validation part", val);

    List<ImageDataset> stratified = images.splitStratified(new double[] {0.8, 0.2}, 42);
    print("stratified part", stratified.get(1));
  }

  private static void crossValidate(ImageDataset images) throws IOException {
    for (Fold<ImageDataset> fold : images.folds(5, 42)) {
      System.out.printf("fold: %d and %d%n", fold.train().size(), fold.validation().size());
    }
    for (Fold<ImageDataset> fold : images.foldsStratified(2, 42)) {
      System.out.printf("stratified: %d, %d%n", fold.train().size(), fold.validation().size());
    }
  }

  private static void splitAsPyTorchDoes(ImageDataset images) {
    long[][] indices = TorchRandom.ofSeed(42).randomSplit(images.size(), new double[] {0.8, 0.2});
    List<ImageDataset> parts = images.split(indices);
    System.out.printf(
        "PyTorch's split: %s, %d images%n", Arrays.toString(indices[1]), parts.get(1).size());
  }

  // ---- the loader ---------------------------------------------------------------------------

  private static void chooseOptions(Dataset<LabeledImage> dataset) {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset)
            .batchSize(8)
            .shuffle(true)
            .numWorkers(2)
            .dropLast(true)
            .prefetch(4)
            .prefetchNextEpoch(true)
            .timeout(Duration.ofMinutes(1))
            .workerInit(worker -> Thread.currentThread().setName("decoder " + worker))
            .inOrder(false)
            .seed(7)
            .build()) {
      print("options", loader);
      System.out.println("  batches: " + loader.size().getAsLong());
    }
  }

  private static void iterate(Dataset<LabeledImage> dataset) {
    int samples = 0;
    int values = 0;
    DataLoader<LabeledImage> loader = DataLoader.builder(dataset).batchSize(8).build();
    try (loader) {
      for (int epoch = 0; epoch < 2; epoch++) {
        for (Batch batch : loader) {
          try (batch) {
            float[] pixels = batch.tensor("image").toFloatArray();
            long[] labels = batch.tensor("label").toLongArray();
            samples += labels.length;
            values += pixels.length;
          }
        }
      }
    }
    System.out.println("iterated over " + samples + " samples of " + values / samples);
  }

  private static void takeOneBatch(Dataset<LabeledImage> dataset) {
    try (DataLoader<LabeledImage> loader = DataLoader.builder(dataset).build()) {
      try (BatchIterator batches = loader.iterator();
          Batch batch = batches.next()) {
        System.out.println("one: " + batch.tensors());
      }
      try (BatchIterator batches = loader.epoch(3).iterator()) {
        System.out.println("  of epoch " + batches.epoch());
      }
      Iterator<Batch> endless = loader.cycle().iterator();
      for (int step = 0; step < 20; step++) {
        endless.next().close();
      }
    }
  }

  private static void withoutBatches(Dataset<LabeledImage> dataset) {
    try (DataLoader<LabeledImage> loader = DataLoader.builder(dataset).withoutBatching().build()) {
      print("a sample", loader);
    }
  }

  /** Uses all options for a GPU; on the CPU the same batches are in ordinary memory. */
  private static void feedDevice(ImageDataset images) {
    Dataset<LabeledImage> bytes = images.withTransform(ToTensor.of(DType.UINT8));
    try (NDManager manager = NDManager.newBaseManager(DEVICE)) {
      try (PinnedAllocator pinned = PinnedAllocator.of(manager.getDevice());
          DataLoader<LabeledImage> host =
              DataLoader.builder(bytes).batchSize(128).shuffle(true).allocator(pinned).build();
          DeviceLoader loader =
              DeviceLoader.builder(host)
                  .manager(manager)
                  .normalizeOnDevice(Normalization.imagenet("image"))
                  .prefetchToDevice(2)
                  .build()) {
        for (DeviceBatch batch : loader) {
          try (batch) {
            step(batch.tensor("image"), batch.tensor("label"));
          }
        }
        System.out.println(loader.stats());
      }
    }
  }

  private static void step(NDArray image, NDArray label) {
    System.out.println("step: " + image.getDataType() + image.getShape() + label.getShape());
  }

  private static void moveToDevice(Dataset<LabeledImage> dataset) {
    try (DataLoader<LabeledImage> loader = DataLoader.builder(dataset).batchSize(20).build();
        DeviceLoader onDevice = DeviceLoader.of(loader, DEVICE)) {
      for (DeviceBatch batch : onDevice) {
        try (batch) {
          NDArray image = batch.tensor("image");
          System.out.println("on " + image.getDevice() + ": " + image.getShape());
        }
      }
    }
  }

  private static void shuffleAsPyTorchDoes(Dataset<LabeledImage> dataset) {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset).batchSize(5).torchOrder(7).build()) {
      printIndices("PyTorch's order", loader);
    }
  }

  private static void saveAndLoad(Dataset<LabeledImage> dataset) {
    String text;
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset).batchSize(5).shuffle(true).build()) {
      printIndices("first", loader);
      text = loader.state().toJson();
    }
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset).batchSize(5).shuffle(true).build()) {
      loader.resume(LoaderState.fromJson(text));
      printIndices("second", loader);
    }
  }

  // ---- order --------------------------------------------------------------------------------

  private static void chooseSampler(Dataset<LabeledImage> dataset, int[] labels) {
    long size = dataset.size();
    double[] weights = new double[(int) size];
    Arrays.fill(weights, 0, 3, 1.0);
    List<Sampler> samplers = new ArrayList<>();
    samplers.add(SequentialSampler.of(size));
    samplers.add(RandomSampler.of(size, 42));
    samplers.add(RandomSampler.builder(size).replacement(true).numSamples(100).build());
    samplers.add(SubsetRandomSampler.of(new long[] {5, 6, 7}, 42));
    samplers.add(WeightedRandomSampler.of(weights, 100, 42));
    samplers.add(WeightedRandomSampler.balanced(labels, 42));
    samplers.add(TorchSampler.random(size).globalSeed(42).build());
    samplers.add(DistributedSampler.of(RandomSampler.of(size, 42), 1, 4));
    long[] sizes = {size / 2, size - size / 2};
    samplers.add(ShardedSampler.builder(sizes).runs(128).build());
    for (Sampler sampler : samplers) {
      try (DataLoader<LabeledImage> loader = DataLoader.builder(dataset).sampler(sampler).build()) {
        String name = sampler.getClass().getSimpleName();
        System.out.println(name + ": " + loader.size().getAsLong() + " samples");
      }
    }

    BatchSampler batches = BatchSampler.of(RandomSampler.of(size, 42), 8, false);
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset).batchSampler(batches).build()) {
      System.out.println("batch sampler: " + loader.size().getAsLong() + " batches");
    }
  }

  private static void shareAmongRanks(Dataset<LabeledImage> dataset) {
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset)
            .batchSize(5)
            .shuffle(true)
            .distributed(WorldInfo.fromEnvironment(Map.of("RANK", "1", "WORLD_SIZE", "2")))
            .build()) {
      System.out.println("of rank 1: " + loader.size().getAsLong() + " batches");
    }
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(dataset)
            .batchSize(5)
            .shuffle(true)
            .distributed(WorldInfo.fromEnvironment())
            .build()) {
      System.out.println("of this process: " + loader.size().getAsLong() + " batches");
    }
  }

  // ---- collation ----------------------------------------------------------------------------

  private record Word(String text, int[] letters) {
    static Word of(String text) {
      return new Word(text, text.chars().toArray());
    }
  }

  private static void collate() {
    Dataset<Word> words = Dataset.of(List.of(Word.of("one"), Word.of("two")));
    try (DataLoader<Word> loader =
        DataLoader.builder(words).batchSize(2).collator(Collator.defaults()).build()) {
      print("by default", loader);
    }
    try (DataLoader<Word> loader =
        DataLoader.builder(words).batchSize(2).collator(FromPyTorch::firstLetters).build()) {
      print("by a function", loader);
    }
  }

  private static void firstLetters(List<Word> words, BatchAssembler batch) {
    LongBuffer first = batch.tensor("first", DType.INT64, Shape.of(words.size())).asLongBuffer();
    words.forEach(word -> first.put(word.letters()[0]));
  }

  private static void pad() {
    Dataset<Word> words = Dataset.of(List.of(Word.of("padding"), Word.of("is"), Word.of("zero")));
    try (DataLoader<Word> loader =
        DataLoader.builder(words).batchSize(3).collator(PaddingCollator.of("letters")).build()) {
      print("padded", loader);
    }
    PaddingCollator<Word> multiples =
        PaddingCollator.<Word>builder().pad("letters", Padding.with(-1).multipleOf(8)).build();
    try (DataLoader<Word> loader =
        DataLoader.builder(words).batchSize(3).collator(multiples).build()) {
      print("padded to a multiple", loader);
    }
  }

  private static void packTokens() {
    int[] lengths = {5, 3, 9, 2, 7, 6};
    Dataset<TokenSequence> tokens =
        Dataset.of(lengths.length, i -> TokenSequence.of(new int[lengths[(int) i]]));
    PackedDataset rows = TokenPacking.of(10).pack(tokens, lengths);
    try (DataLoader<PackedRow> loader =
        DataLoader.builder(rows)
            .batchSize(2)
            .shuffle(true)
            .collator(PackingCollator.builder().cuSeqlens(true).build())
            .build()) {
      System.out.println("packed: " + rows.stats() + ", " + loader.size().getAsLong() + " batches");
    }
    PackedDataset wrapped =
        TokenPacking.builder(10).strategy(Strategy.CONCATENATE).build().pack(tokens, lengths);
    System.out.println("wrapped: " + wrapped.stats());
    PackedDataset split =
        TokenPacking.builder(8).overlong(Overlong.SPLIT).build().pack(tokens, lengths);
    System.out.println("split: " + split.stats());
    BatchSampler byTokens =
        TokenBudgetBatchSampler.of(RandomSampler.of(lengths.length, 42), lengths, 18);
    System.out.println("by tokens: " + byTokens.order(0).batches() + " batches");
    BatchSampler similar =
        LengthBucketBatchSampler.builder(lengths, 8).maxTokens(18).seed(42).build();
    System.out.println("of similar length: " + similar.order(0).batches() + " batches");
  }

  // ---- transforms ---------------------------------------------------------------------------

  private static void transform(ImageDataset images) throws IOException {
    RandomTransform<Image, Image> compose =
        RandomResizedCrop.of(24).andThen(RandomHorizontalFlip.of()).andThen(Normalize.imagenet());
    print("composed", images.withTransform(compose));

    float[] mean = {0.5f, 0.5f, 0.5f};
    float[] std = {0.5f, 0.5f, 0.5f};
    List<Transform<Image, Image>> fixed = new ArrayList<>();
    fixed.add(Resize.of(24));
    Preprocessor<Object> preprocessor =
        Preprocessor.of(DecodeImage.of().andThen(Resize.of(24)).andThen(CenterCrop.of(24)));
    Path file = Files.createTempFile("image", ".jpg");
    Files.write(file, images.encoded(0).bytes());
    try (Batch one = preprocessor.batch(List.of(file))) {
      System.out.println("serving: " + one.tensors());
    }
    Path model = Files.createTempDirectory("model");
    preprocessor.withClasses(images.classes()).save(model);
    preprocessor = Preprocessor.load(model);
    System.out.println("loaded: " + preprocessor.row(file));
    Files.delete(file);
    fixed.add(Resize.of(24, 32));
    fixed.add(Resize.ofLongerEdge(32));
    fixed.add(CenterCrop.of(24));
    fixed.add(image -> TenCrop.of(24).apply(image).get(9));
    fixed.add(ToTensor.of());
    fixed.add(ToTensor.of(DType.UINT8));
    fixed.add(Normalize.of(mean, std));
    fixed.add(Grayscale.of(1));
    fixed.add(Grayscale.of());
    fixed.add(ConvertDtype.of(DType.FLOAT32));
    fixed.add(image -> image.convert(ImageMode.RGBA));
    fixed.add(image -> image.convert(ImageMode.RGB));
    fixed.add(ToTensor.of(DType.FLOAT16));
    fixed.add(image -> image.resize(image.width() / 2, image.height() / 2, BILINEAR));
    for (Transform<Image, Image> transform : fixed) {
      print("transformed", images.withTransform(transform));
    }

    print("gray", images.withDecodeOptions(DecodeOptions.DEFAULT.withMode(ImageMode.GRAY)));

    List<RandomTransform<Image, Image>> random = new ArrayList<>();
    random.add(RandomCrop.of(24).withPadding(4));
    random.add(RandomResizedCrop.of(24).withScale(0.2, 1));
    random.add(RandomHorizontalFlip.of(0.3));
    random.add(ColorJitter.of(0.4, 0.4, 0.4, 0.1));
    random.add(RandAugment.of(2, 9));
    random.add(TrivialAugmentWide.of());
    random.add(AutoAugment.of(AutoAugment.Policy.CIFAR10));
    random.add(AugMix.of().withSeverity(5));
    random.add(RandomPerspective.of(0.3, 1));
    random.add(ElasticTransform.of().withAlpha(80, 80));
    random.add(RandomChoice.of(RandomEqualize.of(), RandomInvert.of(), RandomAutocontrast.of()));
    random.add(
        RandomPosterize.of(4).andThen(RandomSolarize.of(128)).andThen(RandomAdjustSharpness.of(2)));
    random.add(RandomChannelPermutation.of());
    random.add(GaussianNoise.of(0, 0.1));
    random.add(JPEG.of(25, 75));
    random.add(
        RandomTransform.inRandomOrder(
            RandomHorizontalFlip.of(), ColorJitter.of(0.4, 0.4, 0.4, 0.1)));
    random.add(RandomPhotometricDistort.of());
    // The results differ in size, so they cannot form a batch.
    random.add(RandomZoomOut.of().withSideRange(1, 2).andThen(Resize.of(24, 24)));
    random.add(Resize.random(16, 33).andThen(Resize.of(24, 24)));
    random.add(ScaleJitter.of(64).andThen(Resize.of(24, 24)));
    random.add(RandomShortestSize.of(480, 640).withMaxSize(1333).andThen(Resize.of(24, 24)));
    random.add(RandomErasing.of(0.25));
    random.add(RandomApply.of(ColorJitter.of(0.4, 0.4, 0.4, 0.1), 0.8));
    random.add(RandomChoice.of(RandAugment.of(), TrivialAugmentWide.of()));
    random.add(
        (image, generator) -> generator.nextBoolean() ? image.rotate90(1) : image.rotate90(3));
    for (RandomTransform<Image, Image> transform : random) {
      print("randomly transformed", images.withTransform(transform));
    }

    float[][] matrix = new float[48][48];
    for (int i = 0; i < 48; i++) {
      matrix[i][i] = 2;
    }
    Transform<Image, Tensor> whiten = ToTensor.linear(matrix, new float[48]);
    print("whitened", images.map(sample -> whiten.apply(Resize.of(4, 4).apply(sample.image()))));
  }

  private static void mix(ImageDataset images) {
    int classes = images.classes().size();
    try (DataLoader<LabeledImage> loader =
        DataLoader.builder(images)
            .batchSize(4)
            .batchTransform(BatchTransform.oneOf(MixUp.of(classes), CutMix.of(classes)))
            .build()) {
      print("mixed", loader);
    }
  }

  // ---- printing -----------------------------------------------------------------------------

  private static <T> void print(String what, Dataset<T> dataset) {
    try (DataLoader<T> loader = DataLoader.builder(dataset).batchSize(2).build()) {
      print(what + ", " + dataset.size(), loader);
    }
  }

  private static void print(String what, DataLoader<?> loader) {
    try (BatchIterator batches = loader.iterator();
        Batch batch = batches.next()) {
      System.out.println(what + ": " + batch.tensors() + batch.values());
    }
  }

  private static void printIndices(String what, DataLoader<?> loader) {
    Iterator<Batch> batches = loader.iterator();
    try (Batch batch = batches.next()) {
      System.out.println(what + ": " + Arrays.toString(batch.indices()));
    }
  }
}

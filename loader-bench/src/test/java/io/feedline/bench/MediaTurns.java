package io.feedline.bench;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.media.sound.AudioDataset;
import io.feedline.formats.media.sound.AudioFile;
import io.feedline.formats.media.sound.MelSpectrogram;
import io.feedline.formats.media.sound.Waveform;
import io.feedline.formats.media.video.Clip;
import io.feedline.formats.media.video.Clip.EachFrame;
import io.feedline.formats.media.video.ClipSampler;
import io.feedline.formats.media.video.VideoFile;
import io.feedline.formats.table.Windows;
import io.feedline.transform.RandomTransform;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares videos, sounds and windows over tables with Python's libraries: how many frames, clips,
 * sounds and windows does a CPU-second give?
 *
 * <pre>
 * ffmpeg -f lavfi -i testsrc2=size=320x240:rate=30:duration=20 -c:v libx264 -g 48 -bf 2 -pix_fmt yuv420p small.mp4
 * ffmpeg -f lavfi -i "anoisesrc=d=10:c=pink:r=44100:a=0.5,aformat=channel_layouts=stereo" sound.wav
 * mvn -q -Pquick -pl loader-bench -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp
 * java -cp loader-bench/target/quick/test-classes:loader-bench/target/quick/classes:$(cat loader-bench/target/cp) \
 *     io.feedline.bench.MediaTurns --video small.mp4 --sound sound.wav --python /usr/bin/python3
 * </pre>
 *
 * <p>Both sides use one thread and take turns; CPU time is that of the whole process, compiler and
 * collector included. Clips are 16 frames, every fourth, from a random one, as bytes of RGB; crops
 * are of such clips, at random, of 112 x 112, flipped and normalized, as floats. Sounds are read
 * whole, or a second of them. Windows are 96 rows of two columns and 24 of one, of 10^6 rows in
 * memory, in shuffled batches of 256. The peers are in {@code peers/media.py}.
 */
@Command(
    name = "MediaTurns",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares videos, sounds and windows with PyAV, torchvision, torchaudio and PyTorch.",
    footer = {
      "",
      "A table goes to standard error, a line of JSON for each row to standard output."
    })
public final class MediaTurns extends BenchCommand {
  private static final int CLIP_FRAMES = 16;
  private static final int SERIES = 100;
  private static final int SERIES_ROWS = 10_000;
  private static final int SAMPLE_RATE = 44_100;
  private static final int FILES = 100;

  private static final RandomTransform<Clip, Clip> TRAIN =
      EachFrame.of(
          RandomResizedCrop.of(112)
              .andThen(RandomHorizontalFlip.of())
              .andThen(Normalize.imagenet()));

  @Option(names = "--video", paramLabel = "FILE", description = "Of 65 frames or more; several.")
  private List<Path> videos = List.of();

  @Option(names = "--sound", paramLabel = "FILE", description = "Of 10 s, 44.1 kHz; several.")
  private List<Path> sounds = List.of();

  @Option(
      names = "--python",
      paramLabel = "COMMAND",
      defaultValue = "python3",
      description = "A Python with the libraries of peers/media.py. Default: ${DEFAULT-VALUE}.")
  private String python;

  @Option(
      names = "--peer",
      paramLabel = "FILE",
      defaultValue = "loader-bench/peers/media.py",
      description = "Python's half. Default: ${DEFAULT-VALUE}.")
  private Path peer;

  @Mixin private final Turns turns = new Turns(2, 2);

  private final List<Closeable> open = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(0);

  /** Does a piece of work. */
  private interface Work {
    /** Returns the number of frames, clips, sounds or windows. */
    long run() throws Exception;
  }

  /** The command itself. */
  public static void main(String... args) {
    System.exit(new MediaTurns().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    turns.check(this);
    try (NativeProcess peers = new NativeProcess(List.of(python, peer.toString()))) {
      log().printf("machine: %s%nbeside it: %s%n%n", Machine.here(), peers.loaded());
      log().println("| per CPU-second | Feedline | peer | | Feedline by peer |");
      log().println("|---|---|---|---|---|");
      for (Path video : videos) {
        compare("frames", video, frames(video), peers, "pyav", "torchvision");
        compare("clips", video, clips(video, asBytes()), peers, "pyav", "torchvision");
        compare("crops", video, clips(video, TRAIN), peers, "pyav", "torchvision");
      }
      for (Path sound : sounds) {
        compare("sounds", sound, sounds(sound), peers, "torchaudio", "soundfile");
        compare("seconds", sound, seconds(sound), peers, "torchaudio", "soundfile");
      }
      compare("mels", Path.of("-"), mels(), peers, "torchaudio");
      compare("windows", Path.of("-"), windows(), peers, "torch");
    } finally {
      for (Closeable each : open) {
        each.close();
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private void compare(String what, Path file, Work work, NativeProcess peers, String... names)
      throws Exception {
    List<Timing> ours = new ArrayList<>();
    Map<String, List<Timing>> theirs = new LinkedHashMap<>();
    for (int round = -turns.warmUp; round < turns.rounds; round++) {
      Timing timing = timed(work);
      if (round >= 0) {
        ours.add(timing);
      }
      for (String name : names) {
        Timing other =
            peers.run("%s,%s,%s".formatted(name, what, file.toAbsolutePath()), turns.seconds);
        if (round >= 0) {
          theirs.computeIfAbsent(name, key -> new ArrayList<>()).add(other);
        }
      }
    }
    for (Map.Entry<String, List<Timing>> each : theirs.entrySet()) {
      Spread ratio = Spread.ofRatios(ours, each.getValue());
      double rate = Spread.ofRates(ours).median();
      double otherRate = Spread.ofRates(each.getValue()).median();
      log()
          .printf(
              "| %s, %s | %.0f | %s | %.0f | **%s** |%n",
              what, file.getFileName(), rate, each.getKey(), otherRate, ratio.toString(2));
      log().flush();
      print(
          new JsonLine()
              .put("work", what)
              .put("file", String.valueOf(file.getFileName()))
              .put("peer", each.getKey())
              .put("feedline", rate)
              .put("other", otherRate)
              .put("ratio", ratio));
    }
  }

  private Timing timed(Work work) throws Exception {
    long begin = ProcessMeter.cpuNanos();
    long count = 0;
    double seconds;
    do {
      count += work.run();
      seconds = (ProcessMeter.cpuNanos() - begin) / 1e9;
    } while (seconds < turns.seconds);
    return new Timing(count, seconds);
  }

  private VideoFile open(Path file) throws Exception {
    VideoFile video = VideoFile.open(file);
    open.add(video);
    return video;
  }

  private static RandomTransform<Clip, Clip> asBytes() {
    return EachFrame.of(ToTensor.of(DType.UINT8).withLayout(ImageLayout.HWC));
  }

  private Work frames(Path file) throws Exception {
    VideoFile video = open(file);
    Clip first = asBytes().apply(video.framesAt(new int[CLIP_FRAMES]), random);
    ByteBuffer row = row(first);
    return () -> {
      for (int from = 0; from < video.frames(); from += CLIP_FRAMES) {
        int to = Math.min(video.frames(), from + CLIP_FRAMES);
        int[] some = IntStream.range(from, to).toArray();
        asBytes().apply(video.framesAt(some), random).writeTo(row);
      }
      return video.frames();
    };
  }

  private Work clips(Path file, RandomTransform<Clip, Clip> transform) throws Exception {
    VideoFile video = open(file);
    RandomTransform<VideoFile, Clip> sampler =
        ClipSampler.atRandomIndices(CLIP_FRAMES).withNumIndicesBetweenFrames(4).andThen(transform);
    ByteBuffer row = row(sampler.apply(video, random));
    return () -> {
      sampler.apply(video, random).writeTo(row);
      return 1;
    };
  }

  private static ByteBuffer row(TensorSource source) {
    long bytes = source.shape().elements() * source.dtype().bytes();
    return ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
  }

  /** Opens the file each time, as the peers do it. */
  private static Work sounds(Path file) throws Exception {
    ByteBuffer row;
    try (AudioFile sound = AudioFile.open(file)) {
      row = row(sound.waveform());
    }
    return () -> {
      try (AudioFile sound = AudioFile.open(file)) {
        sound.waveform().writeTo(row);
      }
      return 1;
    };
  }

  /** Reads from many files in turn, whose lengths are known, so that no reader is open already. */
  private Work seconds(Path file) throws Exception {
    ScratchDirectory links = ScratchDirectory.create("feedline-media");
    open.add(links::close);
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      Path link = links.path().resolve(i + "-" + file.getFileName());
      files.add(Files.createSymbolicLink(link, file.toAbsolutePath()));
    }
    AudioDataset dataset = AudioDataset.ofFiles(files);
    open.add(dataset);
    ByteBuffer row = row(dataset.get(0).audio().crop(0, SAMPLE_RATE));
    int[] next = {0};
    return () -> {
      long from = (long) random.nextInt(9) * SAMPLE_RATE;
      Waveform sound = dataset.get(next[0]++ % FILES).audio();
      sound.crop(from, SAMPLE_RATE).writeTo(row);
      return 1;
    };
  }

  private Work mels() {
    float[] samples = new float[160_000];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = random.nextFloat() - 0.5f;
    }
    Waveform sound = Waveform.of(new float[][] {samples}, 16_000);
    ByteBuffer row = row(MelSpectrogram.of().apply(sound));
    return () -> {
      MelSpectrogram.of().apply(sound).writeTo(row);
      return 1;
    };
  }

  private Work windows() throws Exception {
    int rows = SERIES * SERIES_ROWS;
    long[] sensors = IntStream.range(0, rows).mapToLong(row -> row / SERIES_ROWS).toArray();
    float[] values = new float[2 * rows];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    Windows windows =
        Windows.over(Map.of("sensor", Tensor.of(sensors, rows), "x", Tensor.of(values, rows, 2)))
            .key("sensor")
            .past("x")
            .target("x.0")
            .length(96)
            .horizon(24)
            .build();
    open.add(windows);
    DataLoader<Map<String, Object>> loader =
        DataLoader.builder(windows).batchSize(256).shuffle(true).numWorkers(0).build();
    open.add(loader::close);
    BatchIterator[] batches = {loader.iterator()};
    return () -> {
      if (!batches[0].hasNext()) {
        batches[0] = loader.iterator();
      }
      try (Batch batch = batches[0].next()) {
        return batch.size();
      }
    };
  }
}

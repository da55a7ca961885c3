package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.feedline.examples.formats.ReadCoco;
import io.feedline.examples.formats.ReadFromObjectStore;
import io.feedline.examples.formats.ReadHdf5;
import io.feedline.examples.formats.ReadLmdb;
import io.feedline.examples.formats.ReadMds;
import io.feedline.examples.formats.ReadParquet;
import io.feedline.examples.formats.ReadRecordIo;
import io.feedline.examples.formats.ReadTfRecord;
import io.feedline.examples.formats.ReadVoc;
import io.feedline.examples.formats.ReadWebDataset;
import io.feedline.examples.formats.ReadZip;
import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.examples.training.EasyTrainWithFeedline;
import io.feedline.examples.training.PredictPrices;
import io.feedline.examples.training.ResumeTraining;
import io.feedline.examples.training.StreamText;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("once")
class SmallExamplesTest {

  @Test
  void shouldPrintBatches(@TempDir Path temp) throws Exception {
    Path images = new GeneratedFolder(temp, 4, 1, 0).make();
    assertThat(Printed.by(QuickStart::main, images.resolve("train").toString()))
        .containsExactly(
            "FLOAT32 (32, 3, 224, 224) INT64 (32)", "FLOAT32 (8, 3, 224, 224) INT64 (8)");
    assertThat(Printed.by(FromDjl::main))
        .containsExactly("trained with 2 batches", "read (4, 2) and (4)", "read (4, 2) and (4)");
    assertThat(Printed.by(MixedBatches::main, temp.toString()))
        .containsExactly("mixed: {image=FLOAT32 (32, 3, 64, 64), label=FLOAT32 (32, 10)}");
    assertThat(Printed.by(MixOnDevice::main, temp.toString()))
        .containsExactly("float32 images (32, 3, 64, 64)", "float32 labels (32, 10)");
    assertThat(Printed.by(OwnTransforms::main, temp.toString()))
        .containsExactly(
            "own: {image=FLOAT32 (8, 3, 64, 64), label=INT64 (8)}",
            "  labels [0, 0, 0, 0, 0, 0, 0, 0]");
  }

  @Test
  void shouldTrainWithDjlsOwnLoop(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(EasyTrainWithFeedline::main, temp.toString());

    assertThat(printed)
        .anyMatch(line -> line.matches("next: \\{\"feedline\":.*\"epoch\":2,\"position\":0,.*"))
        .anyMatch(line -> line.matches("training loss [0-9.]+, validation accuracy [0-9.]+"))
        .contains("batches still open: 0");
  }

  @Test
  void shouldContinueATrainingWithItsMomentum(@TempDir Path temp) throws Exception {
    String whole = temp.resolve("whole").toString();
    String killed = temp.resolve("killed").toString();

    assertThat(Printed.by(ResumeTraining::main, whole)).containsExactly("steps: 10");
    assertThat(Printed.by(ResumeTraining::main, killed, "5")).containsExactly("steps: 5");
    assertThat(Printed.by(ResumeTraining::main, killed)).containsExactly("steps: 7");

    String parameters = "trained/easy-0000.params";
    assertThat(Path.of(killed, parameters)).hasSameBinaryContentAs(Path.of(whole, parameters));
  }

  @ParameterizedTest
  @MethodSource("packedFormats")
  void shouldReadAPackedFormat(Printed.Program program, List<String> ways, @TempDir Path temp)
      throws Exception {
    List<String> printed = Printed.by(program, temp.toString());

    assertThat(printed)
        .filteredOn(line -> !line.startsWith(" "))
        .containsExactlyElementsOf(
            ways.stream()
                .map(way -> way + ": {image=FLOAT32 (32, 3, 64, 64), label=INT64 (32)}")
                .toList());
    assertThat(printed)
        .filteredOn(line -> line.startsWith(" "))
        .hasSize(ways.size())
        .allMatch(line -> line.matches("  labels \\[[0-9](, [0-9]){31}]"))
        .allMatch(line -> line.chars().filter(Character::isDigit).distinct().count() > 3);
  }

  static List<Arguments> packedFormats() {
    String shuffled = "shuffled";
    String byShard = "shuffled shard by shard";
    return List.of(
        arguments(program("ReadLmdb", ReadLmdb::main), List.of(shuffled)),
        arguments(program("ReadZip", ReadZip::main), List.of(shuffled)),
        arguments(program("ReadRecordIo", ReadRecordIo::main), List.of(shuffled)),
        arguments(
            program("ReadTfRecord", ReadTfRecord::main), List.of(shuffled, byShard, "streamed")),
        arguments(
            program("ReadWebDataset", ReadWebDataset::main),
            List.of(shuffled, byShard, "streamed")),
        arguments(program("ReadMds", ReadMds::main), List.of(shuffled, byShard)),
        arguments(program("ReadParquet", ReadParquet::main), List.of(shuffled, byShard)));
  }

  private static Named<Printed.Program> program(String name, Printed.Program main) {
    return Named.of(name, main);
  }

  @Test
  void shouldUseAgainWhatAnEarlierRunHasPacked(@TempDir Path temp) throws Exception {
    List<String> first = Printed.by(ReadWebDataset::main, temp.toString());

    List<String> again = Printed.by(ReadWebDataset::main, temp.toString());

    assertThat(again.get(0)).startsWith("packed by an earlier run: ").endsWith("webdataset");
    assertThat(again.subList(1, again.size())).isEqualTo(first);
  }

  @Test
  void shouldGoOnInTheMiddleOfAStreamOfTexts(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(StreamText::main, temp.toString());

    assertThat(printed).hasSize(2);
    assertThat(printed.get(0)).isEqualTo("before: 40 rows");
    assertThat(printed.get(1)).matches("resumed: [1-9][0-9]+ rows");
  }

  @Test
  void shouldLearnPricesFromATable(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(PredictPrices::main, temp.toString());

    assertThat(printed).hasSize(9);
    assertThat(printed.get(0)).isEqualTo("2000 houses, Vocabulary of 4 names, and unknown ones");
    double first = Double.parseDouble(printed.get(1).replaceAll(".*validation loss ", ""));
    double last = Double.parseDouble(printed.get(8).replaceAll(".*validation loss ", ""));
    assertThat(last).isLessThan(first / 4);
  }

  @Test
  void shouldReadFromAnObjectStoreWhatTheCacheThenHas(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(ReadFromObjectStore::main, temp.toString());
    List<Path> entries = entries(temp);
    List<String> again = Printed.by(ReadFromObjectStore::main, temp.toString());

    assertThat(printed)
        .hasSize(4)
        .startsWith(
            "from s3://pictures/train: {image=FLOAT32 (32, 3, 64, 64), label=INT64 (32)}",
            printed.get(1),
            "epoch 0 through a cache: 80 images",
            "epoch 1 through a cache: 80 images");
    assertThat(again).isEqualTo(printed);
    assertThat(entries).hasSize(80);
    assertThat(entries(temp)).as("at another port, another server").containsAll(entries);
  }

  private static List<Path> entries(Path temp) throws IOException {
    try (Stream<Path> files = Files.walk(temp)) {
      return files.filter(file -> file.toString().endsWith(".line")).sorted().toList();
    }
  }

  @Test
  void shouldReadBoxesAndMasks(@TempDir Path temp) throws Exception {
    assertThat(Printed.by(ReadVoc::main, temp.toString()))
        .hasSize(2)
        .anyMatch(
            line ->
                line.startsWith("masks: {")
                    && line.contains("image=FLOAT32 (4, 3, 48, 64)")
                    && line.contains("mask=UINT8 (4, 48, 64)"))
        .anyMatch(line -> line.matches("boxes: \\{.*boxes=FLOAT32 \\(4, [2-4], 4\\).*"));
    assertThat(Printed.by(ReadCoco::main, temp.toString()))
        .hasSize(2)
        .startsWith("[person, car, dog]")
        .anyMatch(line -> line.matches("instances: \\{.*masks=UINT8 \\(4, [2-4], 48, 64\\).*"));
  }

  @Test
  void shouldReadArraysAndImagesFromHdf5(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(ReadHdf5::main, temp.toString());

    assertThat(printed)
        .element(0)
        .isEqualTo("arrays: {image=UINT8 (32, 72, 72, 3), label=INT64 (32)}");
    assertThat(printed)
        .element(2)
        .isEqualTo("images: {image=FLOAT32 (32, 3, 64, 64), label=INT64 (32)}");
    assertThat(printed.get(3)).as("labels").isEqualTo(printed.get(1));
  }

  @Test
  void shouldWatchALoader(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(WatchLoading::main, temp.toString());

    assertThat(printed).hasSizeGreaterThan(1).first().asString().contains("20 batches");
    String[] command = printed.get(printed.size() - 1).split(" ", -1);
    assertThat(command).startsWith("jfr", "print");
    Path recording = Path.of(command[command.length - 1]);
    assertThat(recording).startsWith(temp).hasFileName("loader.jfr");
    assertThat(RecordingFile.readAllEvents(recording))
        .extracting(event -> event.getEventType().getName())
        .contains("io.feedline.Work", "io.feedline.Batch", "training.Step");
  }

  @Test
  void shouldNormalizeOnTheDeviceWhatCrossedAsBytes(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(NormalizeOnDevice::main, temp.toString());

    assertThat(printed)
        .element(0)
        .isEqualTo(
            "to be normalized on the device: {image=UINT8 (32, 3, 64, 64), label=INT64 (32)}");
    assertThat(printed)
        .element(2)
        .isEqualTo("normalized on the host: {image=FLOAT32 (32, 3, 64, 64), label=INT64 (32)}");
    assertThat(printed.get(3)).as("labels").isEqualTo(printed.get(1));
    assertThat(printed.subList(4, printed.size()))
        .hasSize(3)
        .allMatch(line -> line.matches("float32 \\((32|16), 3, 64, 64\\), equal: true"));
  }

  @Test
  void shouldSplitWhateverIsGiven(@TempDir Path temp) throws Exception {
    Path images = new GeneratedFolder(temp, 4, 1, 0).make().resolve("train");
    Path archive = temp.resolve("images.zip");
    Printed.by(PackImages::main, images.toString(), archive.toString(), "zip");

    for (Path path : List.of(images, archive)) {
      List<String> printed = Printed.by(SplitAndTransform::main, path.toString());
      assertThat(printed.get(0)).endsWith(": 40 images");
      assertThat(printed)
          .filteredOn(line -> line.contains("{"))
          .containsExactly(
              "train, 32 images: {image=FLOAT32 (16, 3, 64, 64), label=INT64 (16)}",
              "val, 8 images: {image=FLOAT32 (8, 3, 64, 64), label=INT64 (8)}");
    }
  }

  @Test
  void shouldServeSmallData(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(SmallData::main, temp.toString());

    assertThat(printed.get(0)).isEqualTo("50 images of [cat, dog]");
    assertThat(printed.get(1)).matches("balanced: (1[5-9]|2\\d|3[0-5]) and .*");
    assertThat(printed.subList(2, 4)).containsExactly("part: 8 and 32", "part: 2 and 8");
    assertThat(printed.subList(4, 9))
        .containsOnly("fold: train with 8 and 32, validate with 2 and 8");
    String directory = temp.resolve("small-data").toString();
    assertThat(printed.subList(9, printed.size()))
        .containsSubsequence("FLOAT32 (2, 3, 24, 24) of", "  " + Path.of(directory, "100.ppm"))
        .containsSubsequence("FLOAT32 (2, 1, 32, 32) of", "  " + Path.of(directory, "101.ppm"))
        .containsSubsequence(
            "FLOAT32 (2, 3, 224, 224) of",
            "FLOAT32 (1, 1, 16, 16) of",
            "  " + Path.of(directory + "-depth", "depth.pgm"),
            "rows: {label=INT64 (4), x=FLOAT32 (4, 2)}",
            "  labels [0, 1, 1, 0]");
  }

  @Test
  void shouldAnswerFrequentQuestions(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(Recipes::main, temp.toString());

    assertThat(printed.get(0))
        .startsWith("batch ")
        .endsWith(Path.of("train", "texture-3", "0007.jpg").toString());
    assertThat(printed.get(1)).isEqualTo("jittered: (3, 64, 64)");
    assertThat(printed.get(2)).isEqualTo("[5, 6, 7, 8, -1, -1] of the lengths [3, 1]");
    assertThat(printed.subList(3, 6))
        .allMatch(line -> line.matches("lines: \\[[ab] \\d, [ab] \\d]"));
    assertThat(String.join(" ", printed.subList(3, 6)))
        .contains("a 1", "a 2", "a 3", "b 1", "b 2", "b 3");
    assertThat(printed.subList(6, 11))
        .containsExactly(
            "interrupted after batch 7",
            "an epoch, or the rest of one: 2 batches",
            "an epoch, or the rest of one: 10 batches",
            "an epoch, or the rest of one: 10 batches",
            "EasyTrain ends before epoch 3");
    assertThat(printed.subList(11, 13))
        .element(0)
        .isNotEqualTo(printed.get(12))
        .matches(line -> line.startsWith("WorldInfo[rank=0, worldSize=2]: 40, ["));
    assertThat(printed.subList(13, printed.size())).containsExactly("a batch of 1", "broken: [1]");
  }

  @Test
  void shouldMoveTargetsWithTheirImages(@TempDir Path temp) throws Exception {
    List<String> printed = Printed.by(AugmentTargets::main, temp.toString());

    assertThat(printed)
        .contains("points inside: [image, joints, joints_length]")
        .anyMatch(line -> line.startsWith("  of 4 images, the first with FLOAT32 ("))
        .containsSubsequence(
            "segmentation: [image, mask]",
            "  image FLOAT32 (4, 3, 48, 48)",
            "  mask INT64 (4, 48, 48)",
            "detection: [image, boxes, boxes_length, labels, labels_length, masks, masks_length]",
            "  boxes FLOAT32 (4, 3, 4)",
            "  masks UINT8 (4, 3, 48, 64)",
            "points: [image, joints]",
            "  joints FLOAT32 (4, 1, 3, 2)");
  }

  @Test
  void shouldPackAndGoOnWhereARunWasInterrupted(@TempDir Path temp) throws Exception {
    Path images = new GeneratedFolder(temp, 2, 1, 0).make().resolve("train");
    ImageDataset folder = ImageFolder.of(images);
    Path target = temp.resolve("packed");
    Packing packing = Packing.of(folder.classes(), folder.size());
    try (StoreWriter<EncodedImage> interrupted =
        StoreFormat.named("imagefolder").create(target, packing)) {
      for (long index = 0; index < 7; index++) {
        interrupted.write(folder.encoded(index));
      }
    }

    assertThat(Printed.by(PackImages::main, images.toString(), target.toString(), "imagefolder"))
        .contains("continuing after 7 of 20 images", "Packing: [8/20]  texture-4/0000")
        .endsWith(target + ": 20 images");
    assertThat(ImageFolder.of(target).classes()).isEqualTo(folder.classes());
  }
}

package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.MalformedModelException;
import ai.djl.Model;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.EasyTrain;
import ai.djl.training.Trainer;
import ai.djl.training.dataset.Batch;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import ai.djl.translate.TranslateException;
import ai.djl.util.Utils;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.examples.shared.Unfinished;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.gpu.DjlDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Saves a training in the middle of an epoch, and continues it with the same parameters, momentum
 * and batches: {@code ResumeTraining DIR [STEPS]}. DIR keeps the generated images and the last
 * checkpoint; the program ends after STEPS steps, as if it had been killed.
 */
public final class ResumeTraining {
  private static final int IMAGE_SIZE = 32;
  private static final int EPOCHS = 2;
  private static final int STEPS_OF_A_CHECKPOINT = 3;

  private ResumeTraining() {}

  /** Trains a small network on generated images. */
  public static void main(String[] args) throws IOException, TranslateException {
    Path directory = Path.of(args[0]);
    long end = args.length == 1 ? Long.MAX_VALUE : Long.parseLong(args[1]);
    Path checkpoints = Files.createDirectories(directory.resolve("checkpoints"));
    Optional<Path> last = list(checkpoints).stream().max(Comparator.naturalOrder());
    Path images = new GeneratedFolder(directory, 4, 1, 0).make();

    try (TrainingData data = TrainingData.open(images, IMAGE_SIZE, DecodeOptions.Backend.AUTO, 0);
        DataLoader<LabeledImage> train =
            DataLoader.builder(data.train()).sampler(data.trainOrder()).batchSize(8).build();
        Model model = Model.newInstance("easy", Device.cpu())) {
      model.getNDManager().getEngine().setRandomSeed(0);
      model.setBlock(ResNet.RESNET18.block(data.classes().size(), IMAGE_SIZE));
      ResumableSgd optimizer =
          new ResumableSgd(
              Optimizer.sgd().setLearningRateTracker(Tracker.fixed(0.01f)).optMomentum(0.9f));
      DjlDataset batches = DjlDataset.of(train);
      if (last.isPresent()) {
        Path checkpoint = last.get();
        model.load(checkpoint, "easy");
        optimizer.load(model.getBlock(), model.getNDManager(), checkpoint.resolve("momentum"));
        batches.resume(LoaderState.fromJson(Files.readString(checkpoint.resolve("loader.json"))));
      }
      DefaultTrainingConfig config =
          new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
              .optDevices(new Device[] {Device.cpu()})
              .optOptimizer(optimizer);
      try (Trainer trainer = model.newTrainer(config)) {
        trainer.initialize(new Shape(1, 3, IMAGE_SIZE, IMAGE_SIZE));
        long step = 0;
        while (batches.state().epoch() < EPOCHS && step < end) {
          for (Batch batch : trainer.iterateDataset(batches)) {
            EasyTrain.trainBatch(trainer, batch);
            trainer.step();
            batch.close();
            step++;
            if (step % STEPS_OF_A_CHECKPOINT == 0) {
              save(model, optimizer, batches, checkpoints);
            }
            if (step == end) {
              break;
            }
          }
          trainer.notifyListeners(listener -> listener.onEpoch(trainer));
        }
        System.out.println("steps: " + step);
      }
      if (batches.state().epoch() == EPOCHS) {
        model.save(directory.resolve("trained"), "easy");
      }
    } catch (MalformedModelException e) {
      throw new IOException(last + " is damaged", e);
    }
  }

  /** Adds a checkpoint and deletes older ones; after a crash a complete checkpoint is left. */
  private static void save(
      Model model, ResumableSgd optimizer, DjlDataset batches, Path checkpoints)
      throws IOException {
    LoaderState state = batches.state();
    List<Path> older = list(checkpoints);
    try (Unfinished unfinished = Unfinished.in(checkpoints.getParent())) {
      model.save(unfinished.path(), "easy");
      optimizer.save(model.getBlock(), unfinished.path().resolve("momentum"));
      Files.writeString(unfinished.path().resolve("loader.json"), state.toJson());
      String name = String.format(Locale.ROOT, "%06d-%012d", state.epoch(), state.position());
      unfinished.finish(unfinished.path(), checkpoints.resolve(name));
    }
    older.forEach(Utils::deleteQuietly);
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }
}

package io.feedline.examples.serving;

import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.formats.image.dataset.ImageDataset;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Compares a service's answers with a validation: {@code PredictImages FOLDER DATA}, where FOLDER
 * has the checkpoints of {@code TrainResNet50}, and DATA has the validation images.
 *
 * <p>A service receives the bytes of one image at a time; a validation receives batches from a
 * loader. The program prints how many rows are equal bit for bit, and how many answers are correct.
 */
public final class PredictImages {
  private PredictImages() {}

  /** An image after the pipeline, and its class. */
  private record Sample(Object image, int label) {}

  /** Compares, and prints the result. */
  public static void main(String[] args) throws Exception {
    int equal = 0;
    int right = 0;
    try (ServedModel model = ServedModel.open(Path.of(args[0]));
        ImageDataset images = ImageDataset.open(Path.of(args[1]));
        Predictor<Object, Classifications> predictor =
            model.predictor(model.preprocessor().transform(), 1)) {
      Dataset<Sample> validation =
          images.map(
              sample ->
                  new Sample(
                      model.preprocessor().transform().apply(sample.image()), sample.label()));
      try (DataLoader<Sample> loader = DataLoader.builder(validation).batchSize(32).build()) {
        for (Batch batch : loader) {
          try (batch) {
            for (int row = 0; row < batch.size(); row++) {
              byte[] upload = images.encoded(batch.indices()[row]).bytes();
              Tensor served = model.preprocessor().row(upload);
              equal += served.bytes().equals(batch.tensor("image").select(row).bytes()) ? 1 : 0;
              String expected = model.preprocessor().classes().get(label(batch, row));
              right += predictor.predict(upload).best().getClassName().equals(expected) ? 1 : 0;
            }
          }
        }
      }
      System.out.printf(
          Locale.ROOT,
          "%s: %d images, %d rows equal to the validation's, accuracy %.3f%n",
          model,
          images.size(),
          equal,
          (double) right / images.size());
    }
  }

  private static int label(Batch batch, int row) {
    return batch.tensor("label").get(row).intValue();
  }
}

package io.feedline.examples.training;

import ai.djl.Device;
import ai.djl.training.DefaultTrainingConfig;
import ai.djl.training.Trainer;
import ai.djl.training.TrainingConfig;
import ai.djl.training.TrainingResult;
import ai.djl.training.evaluator.Accuracy;
import ai.djl.training.listener.EpochTrainingListener;
import ai.djl.training.listener.EvaluatorTrainingListener;
import ai.djl.training.listener.TrainingListenerAdapter;
import ai.djl.training.loss.Loss;
import ai.djl.training.optimizer.Optimizer;
import ai.djl.training.tracker.Tracker;
import java.util.Locale;

/** A listener of a training that prints a line for each epoch. */
final class EpochLines extends TrainingListenerAdapter {

  /** Returns the configuration of a classification with Adam on the CPU and this listener. */
  static TrainingConfig config(float learningRate) {
    return new DefaultTrainingConfig(Loss.softmaxCrossEntropyLoss())
        .optDevices(new Device[] {Device.cpu()})
        .optOptimizer(Optimizer.adam().optLearningRateTracker(Tracker.fixed(learningRate)).build())
        .addEvaluator(new Accuracy())
        .addTrainingListeners(
            new EpochTrainingListener(), new EvaluatorTrainingListener(), new EpochLines());
  }

  @Override
  public void onEpoch(Trainer trainer) {
    TrainingResult result = trainer.getTrainingResult();
    System.out.printf(
        Locale.ROOT,
        "epoch %d: loss %.3f, accuracy %.2f, validation accuracy %.2f%n",
        result.getEpoch(),
        result.getTrainLoss(),
        result.getTrainEvaluation("Accuracy"),
        result.getValidateEvaluation("Accuracy"));
  }
}

package io.feedline.formats.image;

import io.feedline.formats.image.Image.PixelOperation;
import io.feedline.internal.Charged;
import io.feedline.internal.ReadMeter;

record ChargedOperation(PixelOperation operation, String stage) implements PixelOperation, Charged {

  /** Returns the operation; statistics time it for the user's own transform that runs now. */
  static PixelOperation of(PixelOperation operation) {
    String stage = ReadMeter.ownStage();
    return stage == null ? operation : new ChargedOperation(operation, stage);
  }

  @Override
  public void apply(byte[] rgb, int width, int height) {
    operation.apply(rgb, width, height);
  }

  @Override
  public boolean isPointwise() {
    return operation.isPointwise();
  }

  @Override
  public String toString() {
    return operation.toString();
  }
}

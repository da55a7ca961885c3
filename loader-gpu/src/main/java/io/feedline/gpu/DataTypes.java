package io.feedline.gpu;

import ai.djl.ndarray.types.DataType;
import io.feedline.DType;

/** Feedline's element types in DJL's. */
final class DataTypes {
  private DataTypes() {}

  /**
   * DJL's name for a type.
   *
   * <p>DJL knows {@code INT16} and {@code BFLOAT16} too, but the native half of its PyTorch engine
   * does not, and ends the whole JVM when it meets one (seen with 0.35.1). So they are refused
   * here.
   *
   * @param column whose type it is, for the error
   * @throws IllegalArgumentException if DJL's engine cannot take the type, naming the column
   */
  static DataType of(DType dtype, String column) {
    return switch (dtype) {
      case UINT8 -> DataType.UINT8;
      case INT8 -> DataType.INT8;
      case INT32 -> DataType.INT32;
      case INT64 -> DataType.INT64;
      case FLOAT16 -> DataType.FLOAT16;
      case FLOAT32 -> DataType.FLOAT32;
      case FLOAT64 -> DataType.FLOAT64;
      case BOOL -> DataType.BOOLEAN;
      case INT16, BFLOAT16 ->
          throw new IllegalArgumentException(
              "column '%s' is %s, which DJL's PyTorch engine cannot take; give it another type in a transform, or leave the column out with DeviceLoader.Builder.columns"
                  .formatted(column, dtype));
    };
  }
}

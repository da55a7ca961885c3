package io.feedline.gpu;

import ai.djl.ndarray.types.DataType;
import io.feedline.batch.DType;

final class DataTypes {
  private DataTypes() {}

  /**
   * Returns DJL's type of a column. Refuses {@code INT16} and {@code BFLOAT16}: DJL has these
   * types, but the native code of its PyTorch engine does not, and an array of such a type ends the
   * whole JVM (seen with 0.35.1).
   *
   * @param column the column's name, for the error
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
      case UINT16 ->
          throw new IllegalArgumentException(
              "column '%s' is UINT16, which DJL's PyTorch engine cannot take; ask for INT32 or FLOAT32, which hold the same values: ToTensor.of(DType.INT32) for an image; or leave the column out with DeviceLoader.Builder.columns"
                  .formatted(column));
      case BFLOAT16 ->
          throw new IllegalArgumentException(
              "column '%s' is BFLOAT16, which DJL's PyTorch engine cannot take; ask for FLOAT16, which has as many bytes: ToTensor.of(DType.FLOAT16) for an image, or UINT8 and Normalization.builder(...).dtype(DType.FLOAT16); or leave the column out with DeviceLoader.Builder.columns"
                  .formatted(column));
      case INT16 ->
          throw new IllegalArgumentException(
              "column '%s' is INT16, which DJL's PyTorch engine cannot take; give it another type in a transform, or leave the column out with DeviceLoader.Builder.columns"
                  .formatted(column));
    };
  }

  static DType of(DataType type, String column) {
    return switch (type) {
      case UINT8 -> DType.UINT8;
      case INT8 -> DType.INT8;
      case UINT16 -> DType.UINT16;
      case INT16 -> DType.INT16;
      case INT32 -> DType.INT32;
      case INT64 -> DType.INT64;
      case FLOAT16 -> DType.FLOAT16;
      case BFLOAT16 -> DType.BFLOAT16;
      case FLOAT32 -> DType.FLOAT32;
      case FLOAT64 -> DType.FLOAT64;
      case BOOLEAN -> DType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "'%s' is %s, which tensors do not have; convert it in a transform of the DJL dataset"
                  .formatted(column, type));
    };
  }
}

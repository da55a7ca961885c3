package io.feedline.examples.training;

import io.feedline.DataLoader;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --workers}: a number, or {@code auto}. */
final class WorkersConverter implements ITypeConverter<Integer> {

  @Override
  public Integer convert(String value) {
    if (value.equalsIgnoreCase("auto")) {
      return DataLoader.AUTO;
    }
    try {
      return Integer.valueOf(value);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + value + "' is neither a number nor auto");
    }
  }
}

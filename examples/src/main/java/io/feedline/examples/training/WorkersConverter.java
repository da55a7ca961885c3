package io.feedline.examples.training;

import java.util.OptionalInt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The value of {@code --workers}: a number, or {@code auto}, which is empty. */
final class WorkersConverter implements ITypeConverter<OptionalInt> {

  @Override
  public OptionalInt convert(String value) {
    if (value.equalsIgnoreCase("auto")) {
      return OptionalInt.empty();
    }
    try {
      return OptionalInt.of(Integer.parseInt(value));
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + value + "' is neither a number nor auto");
    }
  }
}

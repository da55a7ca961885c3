package io.feedline.examples.training;

import io.feedline.DataLoaderBuilder;
import java.util.OptionalInt;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of {@code --workers}.
 *
 * @param number the worker threads; empty for {@code auto}
 */
record Workers(OptionalInt number) {

  /** Sets the number of workers; with {@code auto} the loader tunes it. */
  <T> DataLoaderBuilder<T> of(DataLoaderBuilder<T> loader) {
    return number.isPresent() ? loader.numWorkers(number.getAsInt()) : loader.autoWorkers();
  }

  @Override
  public String toString() {
    return number.isPresent() ? Integer.toString(number.getAsInt()) : "auto";
  }

  static final class Converter implements ITypeConverter<Workers> {

    @Override
    public Workers convert(String value) {
      if (value.equalsIgnoreCase("auto")) {
        return new Workers(OptionalInt.empty());
      }
      try {
        return new Workers(OptionalInt.of(Integer.parseInt(value)));
      } catch (NumberFormatException e) {
        throw new TypeConversionException("'" + value + "' is neither a number nor auto");
      }
    }
  }
}

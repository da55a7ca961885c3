package io.feedline.spark.hadoop.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One HDFS for all tests of a JVM that ask for it, since its start takes seconds. */
public final class SharedHdfs implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Hdfs.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.GLOBAL)
        .computeIfAbsent(Hdfs.class, absent -> start(), Hdfs.class);
  }

  private static Hdfs start() {
    try {
      return new Hdfs(Files.createTempDirectory("hdfs"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }
}

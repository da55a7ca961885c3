package io.feedline.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The warnings of a class in this JVM, which are not printed until this is closed. */
final class Warnings extends AbstractAppender implements AutoCloseable {

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final Logger logger;

  Warnings(Class<?> source) {
    super("warnings", null, null, true, Property.EMPTY_ARRAY);
    this.logger = (Logger) LogManager.getLogger(source);
    start();
    logger.setAdditive(false);
    logger.setLevel(Level.WARN);
    logger.addAppender(this);
  }

  @Override
  public void append(LogEvent event) {
    messages.add(event.getMessage().getFormattedMessage());
  }

  List<String> messages() {
    return messages;
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    logger.setLevel(Level.OFF);
    logger.setAdditive(true);
    stop();
  }
}

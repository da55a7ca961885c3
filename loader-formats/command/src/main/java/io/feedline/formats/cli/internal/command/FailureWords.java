package io.feedline.formats.cli.internal.command;

import io.feedline.data.LoaderException;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.MissingPaths;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The message of a failure for a user of the command line: the command's option replaces a
 * builder's option, and advice for programs is left out.
 */
public final class FailureWords {

  /** A builder's option in a message: {@code imageField(...)}. */
  private static final Pattern BUILDER_OPTION =
      Pattern.compile("\\b([a-z][A-Za-z]+)\\(\\.\\.\\.\\)");

  private FailureWords() {}

  public static String of(Throwable failure) {
    if (failure instanceof FileSystemException system && system.getReason() == null) {
      return ofSystem(system);
    }
    String message = failure.getMessage();
    if (message == null) {
      return failure.toString();
    }
    if (failure instanceof LoaderException loading) {
      message = message.substring(0, message.length() - loading.advice().length());
    }
    return withOptions(message);
  }

  /** Returns a sentence for a file system's failure whose message is only a path. */
  private static String ofSystem(FileSystemException failure) {
    String words = words(failure);
    return words.isEmpty() ? failure.toString() : failure.getFile() + ": " + words;
  }

  private static String words(FileSystemException failure) {
    if (failure instanceof NoSuchFileException) {
      return "there is no such file or directory"
          + MissingPaths.nearest(Path.of(failure.getFile()));
    }
    if (failure instanceof AccessDeniedException) {
      return "access is denied";
    }
    if (failure instanceof NotDirectoryException) {
      return "this is not a directory";
    }
    return failure instanceof FileAlreadyExistsException ? "this exists already" : "";
  }

  private static String withOptions(String message) {
    Set<String> options =
        StoreFormat.all().stream()
            .flatMap(format -> format.openOptions().stream())
            .collect(Collectors.toSet());
    return BUILDER_OPTION
        .matcher(message)
        .replaceAll(
            found -> {
              String option = found.group(1).replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
              return options.contains(option) ? "--option " + option + "=NAME" : "$0";
            });
  }
}

package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleStream;
import io.feedline.data.StoreException;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.ZipException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A store that fails is never taken for broken samples. */
@Timeout(60)
@ExpectedLog({"SKIP", "SUBSTITUTE"})
class StoreFailureTest {

  private static final int SIZE = 40;
  private static final int SOUND = 12;

  private static final class LibraryException extends IOException {
    private static final long serialVersionUID = 1L;

    LibraryException(String message) {
      super(message);
    }
  }

  static List<Exception> ofStores() {
    SocketTimeoutException late = new SocketTimeoutException("Read timed out");
    return List.of(
        new StoreException("the server refuses, status 403 (ExpiredToken)"),
        new ConnectException("Connection refused"),
        new UnknownHostException("data.example"),
        late,
        new SSLHandshakeException("PKIX path building failed"),
        new AccessDeniedException("/data/1.jpg"),
        new NoSuchFileException("/data/1.jpg"),
        new FileSystemException("/data/1.jpg", null, "Stale file handle"),
        new ClosedFileSystemException(),
        new UncheckedIOException("1.jpg cannot be read", late),
        new IOException("1.jpg: " + late.getMessage(), late),
        new IllegalStateException("the client failed", new ExecutionException(late)),
        new CompletionException(late));
  }

  static List<Exception> ofSamples() {
    return List.of(
        new IOException("truncated"),
        new EOFException("the record ends early"),
        new ZipException("invalid distance too far back"),
        new MalformedInputException(1),
        new LibraryException("unexpected character"),
        new UncheckedIOException(new LibraryException("unexpected character")),
        new IllegalArgumentException("9 classes"));
  }

  @ParameterizedTest
  @MethodSource
  void ofStores(Exception failure) {
    assertThat(StoreException.isBehind(failure)).isTrue();
  }

  @ParameterizedTest
  @MethodSource
  void ofSamples(Exception failure) {
    assertThat(StoreException.isBehind(failure)).isFalse();
  }

  @Test
  void shouldKnowTheSystemsOwnErrors(@TempDir Path directory) throws IOException {
    // Reading a directory fails as a disk does that cannot be read: with no class of its own.
    Throwable system = catchThrowable(() -> Files.readAllBytes(directory));
    assertThat(system).isExactlyInstanceOf(IOException.class);
    assertThat(StoreException.isBehind(system)).isTrue();
    assertThat(StoreException.isBehind(new IOException(system.getMessage()))).isFalse();
    Throwable old = catchThrowable(() -> new FileInputStream(directory.toFile()).read());
    assertThat(StoreException.isBehind(old)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"0, SKIP", "3, SKIP", "0, SUBSTITUTE", "3, SUBSTITUTE"})
  void shouldFailUnderEveryPolicy(int workers, ErrorPolicy.Action action) {
    ErrorPolicy policy =
        action == ErrorPolicy.Action.SKIP ? ErrorPolicy.skip() : ErrorPolicy.substitute();
    Dataset<Probe> dataset =
        Samples.probes(
            SIZE,
            index -> Samples.failIf(index >= SOUND, new ConnectException("Connection refused")));
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 8, workers).errorPolicy(policy).build()) {
      BatchIterator batches = loader.iterator();
      batches.next().close();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .hasCauseInstanceOf(ConnectException.class)
          .hasMessageContaining("Connection refused; the store failed and not the sample")
          .hasMessageContaining(action.toString());
      assertThat(loader.quarantine().entries()).isEmpty();
      assertThat(loader.stats().tolerated()).isZero();
    }
  }

  @Test
  void shouldNotAskADeadStoreForSubstitutes() {
    List<Long> asked = new ArrayList<>();
    Dataset<Probe> dataset =
        Samples.probes(
            SIZE,
            index -> {
              asked.add(index);
              Samples.failIf(index == 3, new EOFException("truncated"));
              Samples.failIf(asked.size() > 8, new ConnectException("Connection refused"));
            });
    try (DataLoader<Probe> loader =
        Samples.loader(dataset, 8, 0).errorPolicy(ErrorPolicy.substitute()).build()) {
      BatchIterator batches = loader.iterator();
      LoaderException failure = catchThrowableOfType(LoaderException.class, batches::next);
      assertThat(failure.getSuppressed()).singleElement().isInstanceOf(ConnectException.class);
      assertThat(asked).hasSize(9);
    }
  }

  @Test
  void shouldNotAdviseToSkipWhatAStoreRefuses() {
    Dataset<Probe> dataset =
        Samples.probes(SIZE, index -> Samples.failIf(true, new AccessDeniedException("1.jpg")));
    try (DataLoader<Probe> loader = DataLoader.builder(dataset).batchSize(8).build()) {
      BatchIterator batches = loader.iterator();
      assertThatThrownBy(batches::next)
          .isInstanceOf(LoaderException.class)
          .message()
          .doesNotContain("skip", "ErrorPolicy");
    }
  }

  private static IterableDataset<Probe> flaky(AtomicLong awayAt) {
    return (shard, epoch) ->
        new SampleStream<>() {
          private long next;

          @Override
          public @Nullable PendingSample<Probe> next() throws IOException {
            if (awayAt.compareAndSet(next, -1)) {
              throw new ConnectException("Connection refused");
            }
            long number = next++;
            return number == SIZE ? null : context -> Probes.probe(number);
          }

          @Override
          public void close() {}
        };
  }

  /** A resumed epoch that counted the failure as a sample would give sample 11 once more. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldNotResumeBehindAFailureOfTheStore(int workers) {
    AtomicLong awayAt = new AtomicLong(-1);
    IterableDataset<Probe> stream = flaky(awayAt);
    LoaderState state = Samples.stateAfter(loader(stream, workers), 3);
    awayAt.set(5);
    try (DataLoader<Probe> resumed = loader(stream, workers)) {
      resumed.resume(state);
      BatchIterator batches = resumed.iterator();
      assertThatThrownBy(batches::next).hasRootCauseInstanceOf(ConnectException.class);
    }
    try (DataLoader<Probe> resumed = loader(stream, workers)) {
      resumed.resume(state);
      assertThat(Samples.next(resumed.iterator(), 1)).startsWith(12L);
    }
  }

  private static DataLoader<Probe> loader(IterableDataset<Probe> stream, int workers) {
    return Samples.loader(stream, 4, workers).errorPolicy(ErrorPolicy.skip()).build();
  }
}

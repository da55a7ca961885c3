package io.feedline.formats.remote.internal.fs;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.ExpectedLog;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.PackingJob.CommittedTask;
import io.feedline.formats.store.PackingJob.Mode;
import io.feedline.formats.store.PackingJob.TaskWriter;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores that many tasks write into a bucket which does not do what it is asked for. */
@Timeout(120)
class PackingJobFaultsTest {

  private static final String INDEX = "out/shards.json";

  private StubStore stub;
  private ObjectFileSystem files;

  @BeforeEach
  void start() throws IOException {
    stub = new StubStore();
    files = stub.open();
  }

  @AfterEach
  void stop() {
    files.close();
    stub.close();
  }

  private Path target() {
    return files.getPath("/out");
  }

  private Path freshly() {
    files.close();
    files = stub.open();
    return target();
  }

  private static StoreFormat format() {
    return StoreFormat.named("webdataset");
  }

  private static Packing packing() {
    return Packing.of(List.of(), 0).withShardBytes(9_500_000);
  }

  private PackingJob begin(Mode mode) throws IOException {
    return PackingJob.begin(target(), format(), packing(), Map.of(), mode);
  }

  private PackingJob committed() throws IOException {
    PackingJob first = begin(Mode.CREATE);
    first.commit(List.of(task(first, 0, 2000, 0, 2)));
    return first;
  }

  private CommittedTask task(PackingJob job, int task, int bytes, int from, int to)
      throws IOException {
    try (TaskWriter writer =
        PackingJob.openTask(target(), format(), packing(), Map.of(), job.id(), task, 0)) {
      for (int i = from; i < to; i++) {
        writer.write(StubStore.image(i, bytes, i), Map.of());
      }
      return new CommittedTask(task, 0, writer.commit());
    }
  }

  private void requireStore(int from, int to) throws IOException {
    requireReadable(from, to);
    String index = new String(stub.bytes(INDEX), UTF_8);
    assertThat(stub.sizes().keySet())
        .allMatch(key -> key.equals(INDEX) || index.contains(key.substring("out/".length())));
    assertThat(stub.uploads()).isEmpty();
  }

  private static boolean isIndexPut(HttpExchange exchange) {
    return exchange.getRequestMethod().equals("PUT")
        && exchange.getRequestURI().getPath().endsWith("/" + INDEX);
  }

  /** As after a kill at each request: what is refused from then on is as if it were not asked. */
  @Test
  @ExpectedLog("is committed, but")
  void shouldBeWholeOrAbsentAfterAKillAtAnyRequest() throws IOException {
    int runs = 0;
    Throwable killed;
    do {
      stop();
      start();
      int requests = 1 + runs++;
      stub.refuseAfter(requests, 403, "Gone");
      killed =
          catchThrowable(
              () -> {
                PackingJob job = begin(Mode.CREATE);
                job.commit(
                    List.of(task(job, 1, 1_000_000, 10, 12), task(job, 0, 1_000_000, 0, 10)));
              });
      stub.fault((exchange, number) -> false);
      if (stub.bytes(INDEX) == null) {
        assertThat(killed).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> ImageDataset.open(freshly()))
            .as("killed at request " + requests)
            .isInstanceOf(IOException.class);
      } else {
        requireReadable(0, 12);
      }
      PackingJob next = begin(Mode.REPLACE);
      next.abandonedAfter(Duration.ZERO);
      next.commit(List.of(task(next, 0, 2000, 20, 22)));
      requireStore(20, 22);
    } while (killed != null);
    assertThat(runs).isBetween(12, 60);
  }

  private void requireReadable(int from, int to) throws IOException {
    try (ImageStore store = format().open(freshly(), StoreOptions.NONE)) {
      assertThat(store.size()).isEqualTo(to - from);
      for (int i = from; i < to; i++) {
        assertThat(store.read(i - from).label()).isEqualTo(i);
      }
    }
  }

  /** The index is put, but the answer does not come; meanwhile another job appends to it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldNoticeThatItIsCommittedWhereTheAnswerIsLost(boolean otherAppends) throws IOException {
    committed();
    PackingJob job = begin(Mode.APPEND);
    CommittedTask task = task(job, 0, 2000, 2, 4);
    PackingJob other = begin(Mode.APPEND);
    CommittedTask ofOther = task(other, 0, 2000, 4, 6);
    AtomicInteger puts = new AtomicInteger();
    stub.fault(
        (exchange, number) -> {
          if (!isIndexPut(exchange) || puts.getAndIncrement() > 0) {
            return false;
          }
          stub.put(INDEX, exchange.getRequestBody().readAllBytes());
          if (otherAppends) {
            other.commit(List.of(ofOther));
          }
          return StubStore.refuse(exchange, 500, "InternalError");
        });

    job.commit(List.of(task));

    assertThat(puts.get()).isGreaterThan(1);
    if (!otherAppends) {
      other.abort();
    }
    requireStore(0, otherAppends ? 6 : 4);
    assertThatThrownBy(job::abort).isInstanceOf(IllegalStateException.class);
  }

  /** Another job commits between the look at the index and its change. */
  @ParameterizedTest
  @EnumSource(Mode.class)
  void shouldSeeThatAnotherJobWasFirst(Mode mode) throws IOException {
    if (mode != Mode.CREATE) {
      committed();
    }
    PackingJob job = begin(mode);
    CommittedTask task = task(job, 0, 2000, 4, 6);
    PackingJob other = begin(mode);
    CommittedTask ofOther = task(other, 0, 2000, 2, 4);
    AtomicInteger puts = new AtomicInteger();
    stub.fault(
        (exchange, number) -> {
          if (isIndexPut(exchange) && puts.getAndIncrement() == 0) {
            other.commit(List.of(ofOther));
          }
          return false;
        });

    if (mode == Mode.CREATE) {
      assertThatThrownBy(() -> job.commit(List.of(task)))
          .isInstanceOf(FileAlreadyExistsException.class)
          .hasMessageContainingAll("s3://bucket/out/shards.json", "another job");
      requireStore(2, 4);
    } else {
      job.commit(List.of(task));
      requireStore(mode == Mode.REPLACE ? 4 : 0, 6);
    }
    assertThat(puts.get()).isGreaterThan(1);
  }

  /** A request that was given up may still be on its way. */
  @Test
  @ExpectedLog("its index could not be written")
  void shouldKeepTheShardsWhereNobodyKnowsWhetherTheIndexWillCome() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    CommittedTask task = task(job, 0, 2000, 0, 2);
    List<byte[]> late = new ArrayList<>();
    stub.fault(
        (exchange, number) -> {
          if (!isIndexPut(exchange)) {
            return false;
          }
          late.add(exchange.getRequestBody().readAllBytes());
          return StubStore.refuse(exchange, 403, "AccessDenied");
        });
    refused(IOException.class, () -> job.commit(List.of(task)), "403");
    job.abort();
    stub.fault((exchange, number) -> false);
    stub.put(INDEX, late.get(0));

    requireStore(0, 2);
  }

  /** Such as one whose conditions do not work. */
  @Test
  @ExpectedLog("its index could not be written")
  void shouldNotTryForEverWhereAServerSeesAConflictInNothing() throws IOException {
    committed();
    PackingJob job = begin(Mode.APPEND);
    CommittedTask task = task(job, 0, 2000, 2, 4);
    AtomicInteger puts = new AtomicInteger();
    stub.fault(
        (exchange, number) ->
            isIndexPut(exchange)
                && puts.incrementAndGet() > 0
                && StubStore.refuse(exchange, 412, "PreconditionFailed"));

    refused(IOException.class, () -> job.commit(List.of(task)), "412");

    assertThat(puts.get()).isEqualTo(2);
    job.abort();
    stub.fault((exchange, number) -> false);
    assertThat(PackingJob.sweep(target(), Duration.ZERO).deleted()).containsExactly(job.id());
    requireStore(0, 2);
  }

  @Test
  @ExpectedLog("cannot be deleted")
  void shouldBeCommittedWhereTheOldStoreCannotBeDeleted() throws IOException {
    PackingJob first = committed();
    PackingJob job = begin(Mode.REPLACE);
    CommittedTask task = task(job, 0, 2000, 2, 4);
    stub.fault(
        (exchange, number) ->
            exchange.getRequestMethod().equals("DELETE")
                && StubStore.refuse(exchange, 403, "AccessDenied"));

    job.commit(List.of(task));

    stub.fault((exchange, number) -> false);
    assertThat(PackingJob.sweep(target(), Duration.ZERO).deleted()).containsExactly(first.id());
    requireStore(2, 4);
  }

  @Test
  void shouldAskForShardsInOneListing() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    List<CommittedTask> tasks = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      tasks.add(task(job, i, 2000, i, i + 1));
    }
    stub.forgetRequests();

    job.commit(tasks);

    assertThat(stub.requests()).hasSizeLessThan(12);
    requireStore(0, 30);
  }

  /** Killed before its first shard was whole: no listing has anything of it. */
  @Test
  void shouldGiveUpUploadsOfJobsThatHaveLeftNothingElse() throws IOException {
    PackingJob job = begin(Mode.CREATE);
    TaskWriter killed =
        PackingJob.openTask(target(), format(), packing(), Map.of(), job.id(), 0, 0);
    for (int i = 0; i < 9; i++) {
      killed.write(StubStore.image(i, 1_000_000, i), Map.of());
    }
    assertThat(stub.uploads()).hasSize(1);

    PackingJob.Swept swept = PackingJob.sweep(target(), Duration.ZERO);

    assertThat(swept.deleted()).isEmpty();
    assertThat(stub.uploads()).isEmpty();
    assertThat(catchThrowable(killed::close)).isNull();
  }
}

package io.feedline.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.internal.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The diagnosis of a record: one of 10 s, of which the consumer waited 5. */
class BottleneckTest {

  private Map<String, Object> json;

  @BeforeEach
  void record() {
    try (DataLoader<Long> loader = DataLoader.builder(Dataset.of(4, index -> index)).build()) {
      json = Json.read(loader.runRecord().toJson());
    }
    set("workers=2 prefetch=2 processors=4 others=0.1 elapsed=10 waited=5");
  }

  private void set(String figures) {
    for (String each : figures.split(" +", -1)) {
      String[] figure = each.split("=", 2);
      String name = figure[0].replace('_', ' ');
      switch (name) {
        case "workers", "prefetch", "max workers" -> put("loader", figure[0], figure[1]);
        case "processors" -> put("machine", name, figure[1]);
        case "others" -> put("machine", "other_processes_processors", figure[1]);
        case "elapsed" -> put("total", "elapsed_seconds", figure[1]);
        case "batches" -> put("total", "batches", figure[1]);
        case "read" -> put("total", "bytes_read", figure[1]);
        case "contention" -> put("total", "workers_contention", figure[1]);
        case "room" -> put("total", "workers_waited_for_room_seconds", figure[1]);
        case "turn" -> put("total", "workers_waited_to_read_seconds", figure[1]);
        case "waited" -> {
          object(object(json, "total"), "waits").put("count", 100);
          object(object(json, "total"), "waits").put("total_seconds", number(figure[1]));
        }
        case "collected" -> json.put("processor", times("collector_stopped", figure[1]));
        case "stall" ->
            object(json, "stalls")
                .put(
                    "by_cause",
                    List.of(
                        Map.of(
                            "cause",
                            figure[1].replace('_', ' '),
                            "count",
                            7,
                            "waited_seconds",
                            4.5)));
        default -> addStage(name, figure[1].split("/", 3));
      }
    }
  }

  private void put(String object, String name, String value) {
    object(json, object).put(name, number(value));
  }

  private static Object number(String text) {
    return text.equals("null")
        ? null
        : text.contains(".") ? (Object) Double.valueOf(text) : Long.valueOf(text);
  }

  private static Map<String, Object> times(String name, String value) {
    return new HashMap<>(Map.of(name + "_seconds", number(value)));
  }

  private void addStage(String name, String[] seconds) {
    List<Object> stages = new ArrayList<>((List<?>) object(json, "total").get("stages"));
    Map<String, Object> stage = times("elapsed", seconds[0]);
    stage.putAll(times("cpu", seconds[1]));
    stage.putAll(times("queued", seconds[2]));
    stage.put("name", name);
    stages.add(stage);
    object(json, "total").put("stages", stages);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> of, String name) {
    return (Map<String, Object>) of.get(name);
  }

  private Bottleneck diagnosis() {
    return RunRecord.ofJson(Json.write(json)).bottleneck();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          waited=0.05 | [] | Leave the loader as it is
          reading=0/0/0 | [.autoWorkers()] | no stage stands out
          # Reads that wait: of files, of something else, with all the workers that help.
          read=1000000 reading=18/1/0 decoding=2/2/0 \
            | [.numWorkers(8), or .autoWorkers() & feedline convert DATA DATA-packed --to webdataset] \
            | reading had 90% of the workers' 20 s in stages, and waited for storage or locks for 94.4% of that.
          reading=18/1/0 | [.numWorkers(8), or .autoWorkers() & ] | at once
          workers=64 reading=600/1/0 | [] | Make the dataset itself faster: 'reading' is
          max_workers=64 reading=18/1/0 | [] | faster
          max_workers=64 | [] | and the loader has chosen 2 workers.
          # A stream, also where others never got the loader's own lock around it.
          workers=4 turn=30 reading=9/1/0 | [stream.map("NAME", transform) & ] | reads a stream
          workers=4 turn=30 contention=0.7 reading=9/1/0 | [stream.map("NAME", transform) & ] | a stream
          workers=4 turn=9 contention=0.7 reading=9/1/0 | [stream.map("NAME", transform) & ] | a stream
          # Times alone do not tell a lock from a storage.
          read=1000000 contention=0.49 reading=19/9/0 | [jcmd PID Thread.print] \
            | 49% of the workers waited for such a lock, so more workers would wait too; 'reading' takes most of their time. Stacks of the threads show where.
          contention=0.2 reading=18/1/0 | [.numWorkers(8), or .autoWorkers() & ] | at once
          # Workers without room for a batch cannot begin one; the rest waited before a slow shard.
          workers=8 room=40 batch_transform=39/0/0 | [.prefetch(8)] | no more batches were allowed
          workers=8 room=40 batch_transform=39/0/0 stall=no_room_to_prepare_batches | [.prefetch(4)] | 4.5 s of 5 s
          room=8 waited=4.6 reading=12/1/0 stall=reading | [.numWorkers(8), or .autoWorkers() & ] | at once
          room=18 waited=4.6 stall=start-up | [.prefetchFirstEpoch(true)] | had not been prepared
          stall=no_room_to_prepare_batches | [.prefetch(4)] | more batches ahead
          # Work on whole batches, that waits or computes.
          batch_transform=19/1/0 | [.numWorkers(8).prefetch(8)] | each for a batch of its own
          workers=4 batch_transform=39/38/0 | [dataset.map(...)] | which workers share
          # Slow samples: more batches ahead help workers that have time to spare.
          workers=4 augment=39/39/0 stall=one_slow_sample | [ & ] | Look at the samples that are named below. Single
          prefetch=3 room=8 reading=18/1/0 stall=one_slow_sample | [.prefetch(12)] | five times as long
          # The collector's pauses, too short to be half of a stall, or stalls; said once.
          collected=4 augment=19/10/0 | [-Xmx or -XX:+UseZGC & .numWorkers(4) & ] | The garbage collector stopped all threads for 40% of the time.
          collected=4 stall=the_garbage_collector | [-Xmx or -XX:+UseZGC] | for 40% of the time.
          stall=the_garbage_collector | [-Xmx or -XX:+UseZGC] \
            | The garbage collector stopped all threads in stalls: 4.5 s of 5 s of waiting, in 7 stalls.
          stall=nothing_the_loader_did | [] | Find out what held up the process
          elapsed=0.2 room=0.3 waited=0.1 writing=0.4/0.4/0 | [] | Record a longer run
          batches=100000 writing=3/3/0 | [.numWorkers(0)] | A batch takes 30 us to make
          # Computing, on some processors or on all.
          reading=1/1/0 decoding=19/19/0 \
            | [.numWorkers(4) & feedline convert DATA DATA-small --to webdataset --resize 256] | Use all
          workers=8 reading=1/1/0 decoding=79/38/41 \
            | [feedline convert DATA DATA-small --to webdataset --resize 256] | on a processor
          # Not known where a thread queued, as on macOS and Windows.
          workers=8 reading=1/1/0 decoding=79/38/0 \
            | [feedline convert DATA DATA-small --to webdataset --resize 256] \
            | in stages, on a processor or in the queue for one.
          workers=4 decoding=1/1/0 tokenize=39/39/0 | [] | Make 'tokenize' faster, or do it once before the training
          workers=4 transforming=39/39/0 | [dataset.map("NAME", transform)] | Make the transforms faster
          # Other processes: with the processors that workers wanted, or with others.
          others=3.2 read=1000000 reading=18/1/0.2 \
            | [.numWorkers(8), or .autoWorkers() & feedline convert DATA DATA-packed --to webdataset] | at once
          others=3.2 decoding=19/5/14 | [ & .numWorkers(4) & feedline convert DATA DATA-small --to webdataset --resize 256] \
            | Repeat the run while the machine is idle. Other processes kept 3.20 of 4 processors busy
          others=null decoding=19/5/14 | [ & .numWorkers(4) & feedline convert DATA DATA-small --to webdataset --resize 256] \
            | Repeat the run while the machine is idle. Workers queued for a processor for 74%
          """)
  void shouldAdvise(String figures, String options, String words) {
    set(figures);
    assertThat(diagnosis().advice())
        .extracting(Bottleneck.Advice::option)
        .hasToString(options.replace(" & ", ", "));
    assertThat(diagnosis().toString()).contains(words);
  }

  /** A cause that explains most of the waiting comes before the load of the machine. */
  @Test
  void shouldNameTheCauseThatExplainsMostBeforeTheBusyMachine() {
    set("others=3.2 workers=4 collating=8/3/4 stall=collating");
    assertThat(diagnosis().advice())
        .extracting(Bottleneck.Advice::cause)
        .containsExactly(Bottleneck.Cause.WHOLE_BATCHES, Bottleneck.Cause.BUSY_MACHINE);
  }

  @Test
  void shouldSayThatTheConsumerIsSlower() {
    set("room=18 waited=0.1");
    assertThat(diagnosis().clause())
        .isEqualTo("the consumer waited 1% of its time, and workers waited 18 s of 20 s for it");
  }

  /** A level is missed by batches, and not by the load of others alone where more is known. */
  @Test
  void shouldBlameMoreThanTheMachineForALevel() {
    set("others=3.2 decoding=19/5/14");
    assertThat(diagnosis().cause()).isEqualTo(Bottleneck.Cause.BUSY_MACHINE);
    assertThat(diagnosis().clause()).endsWith("decoding had 100% of the workers' 5 s in stages");
  }

  /** The copying thread hardly waits for the loader, and the training for its copies. */
  @Test
  void shouldSayThatTheTrainingWaitsForCopies() {
    set("waited=0.1");
    json.put(
        "device",
        Json.read(
            """
            {"transfer":"stream","batches":100,"bytes":1,"pinned_bytes":0,"copying_seconds":3,
             "copy_idle_seconds":6,"waited_seconds":0,
             "stalls":[{"cause":"the device copy","count":90,"waited_seconds":3.5}]}
            """));
    assertThat(diagnosis().cause()).isEqualTo(Bottleneck.Cause.DEVICE_COPY);
    assertThat(diagnosis().advice().get(0).evidence())
        .isEqualTo("The copy to the device was late: 3.5 s of the training's 10 s, in 90 stalls.");
  }
}

package io.feedline.formats.mds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.jobs.JobFormat;
import io.feedline.formats.store.internal.jobs.JobIndex;
import io.feedline.formats.store.internal.jobs.TaskSample;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes MDS datasets by the tasks of a job. An image is written to the column {@code image}, its
 * label to {@code label}, its key to {@code key}. Each further field is written to a column of the
 * same name; every sample must have the field.
 */
final class MdsTasks extends JobFormat {

  private static final String IMAGE = "image";
  private static final String RAW = "raw_data";
  private static final String ZIP = "zip_data";
  private static final String BASENAME = "basename";

  MdsTasks() {
    super(MdsFormat.NAME);
  }

  @Override
  protected StagedOutput.Opener<StagedWriter<TaskSample>> opener(
      Path directory, Packing packing, Map<String, FieldType> fields) throws IOException {
    packing.options().requireKnown(MdsFormat.NAME, new MdsFormat().createOptions());
    MdsDataset.WriterBuilder options = options(directory, packing, fields);
    String encoding = options.columns.get(IMAGE);
    ClassList classes = new ClassList(options.classes, 0);
    return output ->
        new MdsShardWriter<TaskSample>(output, options) {
          @Override
          protected Map<String, ?> stored(TaskSample sample) throws FormatException {
            Map<String, Object> values = columns(sample.image(), encoding, classes);
            for (String field : fields.keySet()) {
              values.put(field, required(sample, field));
            }
            return values;
          }
        };
  }

  private static MdsDataset.WriterBuilder options(
      Path directory, Packing packing, Map<String, FieldType> fields) throws IOException {
    if (packing.shards().isPresent()) {
      throw new IllegalArgumentException(
          "mds cuts its shards by size: give shardBytes (--shard-size) instead of shards (--shards), which is %d"
              .formatted(packing.shards().getAsInt()));
    }
    StoreOptions given = packing.options();
    String encoding = given.text(MdsFormat.IMAGE_ENCODING).orElse("bytes");
    if (!encoding.matches("bytes|jpeg|png")) {
      throw new IllegalArgumentException(
          "%s must be bytes, jpeg or png, was '%s'".formatted(MdsFormat.IMAGE_ENCODING, encoding));
    }
    Map<String, String> columns = new HashMap<>();
    fields.forEach((name, type) -> columns.put(name, encoding(type)));
    columns.putAll(Map.of(IMAGE, encoding, "key", "str", "label", "int"));
    MdsDataset.WriterBuilder options =
        MdsDataset.writer(directory).columns(columns).classes(packing.classes());
    given.text(MdsFormat.COMPRESSION).ifPresent(options::compression);
    given.text(MdsFormat.HASHES).ifPresent(names -> options.hashes(names.split(",", -1)));
    if (packing.shardBytes().isPresent()) {
      long bytes = packing.shardBytes().getAsLong();
      if (bytes > MdsDataset.WriterBuilder.LARGEST_SHARD_BYTES) {
        throw new IllegalArgumentException(
            "mds puts a shard together in memory: shardBytes (--shard-size) must be at most %d, was %d"
                .formatted(MdsDataset.WriterBuilder.LARGEST_SHARD_BYTES, bytes));
      }
      options.shardBytes((int) bytes);
    }
    options.validate();
    return options;
  }

  private static Map<String, Object> columns(EncodedImage image, String encoding, ClassList classes)
      throws FormatException {
    classes.requireClass(image);
    ImageFormat format = image.format();
    if ((encoding.equals("jpeg") && format != ImageFormat.JPEG)
        || (encoding.equals("png") && format != ImageFormat.PNG)) {
      throw new FormatException(
          "image %s is %s, but the column 'image' is of encoding '%s'; %s=bytes takes all kinds"
              .formatted(image.key(), format, encoding, MdsFormat.IMAGE_ENCODING));
    }
    Map<String, Object> columns = new HashMap<>();
    columns.put(IMAGE, image.bytes());
    columns.put("key", image.key());
    columns.put("label", (long) image.label());
    return columns;
  }

  private static String encoding(FieldType type) {
    return switch (type) {
      case TEXT -> "str";
      case INTEGER -> "int";
      case REAL -> "float64";
      case BYTES -> "bytes";
    };
  }

  private static Object required(TaskSample sample, String field) throws FormatException {
    Object value = sample.fields().get(field);
    if (value == null) {
      throw sample.refused(
          field,
          "is absent, but in mds every sample has a value for every column: give it one, or"
              + " take webdataset or tfrecord");
    }
    return value;
  }

  @Override
  protected String indexName() {
    return MdsIndex.NAME;
  }

  @Override
  protected byte[] bytes(JobIndex index) {
    List<Map<String, Object>> shards = new ArrayList<>();
    for (PackedShard shard : index.shards()) {
      Map<String, Object> json = Json.read(shard.description());
      String directory = shard.path().substring(0, shard.path().lastIndexOf('/') + 1);
      place(json.get(RAW), directory);
      place(json.get(ZIP), directory);
      shards.add(json);
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("shards", shards);
    json.put("version", MdsShard.VERSION);
    json.putAll(index.members());
    return Json.write(json).getBytes(UTF_8);
  }

  @SuppressWarnings("unchecked") // Json reads objects as Map<String, Object>.
  private static void place(Object file, String directory) {
    if (file instanceof Map<?, ?> members) {
      String name = (String) members.get(BASENAME);
      ((Map<String, Object>) members)
          .put(BASENAME, directory + name.substring(name.lastIndexOf('/') + 1));
    }
  }

  @Override
  protected JobIndex parse(Path file, Map<String, Object> json) {
    if (!(json.get("shards") instanceof List<?> list)) {
      throw new IllegalArgumentException("expected \"shards\", found " + json.keySet());
    }
    List<PackedShard> shards = new ArrayList<>();
    for (Object each : list) {
      shards.add(shard(each));
    }
    return JobIndex.of(MdsFormat.NAME, json, shards);
  }

  private static PackedShard shard(Object json) {
    JsonMembers members = JsonMembers.of("a shard", json);
    JsonMembers stored = members.object(members.has(ZIP) ? ZIP : RAW);
    return new PackedShard(
        stored.string(BASENAME),
        members.whole("samples"),
        stored.whole("bytes"),
        stored.object("hashes").string("sha256"),
        Json.write(json));
  }
}

package io.feedline.formats.store.internal.jobs;

import io.feedline.formats.store.PackingJob.FieldType;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.internal.JsonMembers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The description of a store that jobs wrote, kept in the format's own index. Immutable. */
public record JobIndex(
    String format,
    List<String> classes,
    Map<String, String> options,
    Map<String, FieldType> fields,
    List<PackedShard> shards) {

  private static final String CLASSES = "classes";
  private static final String OPTIONS = "options";
  private static final String FIELDS = "fields";

  public JobIndex {
    classes = List.copyOf(classes);
    options = Map.copyOf(options);
    fields = Map.copyOf(fields);
    shards = List.copyOf(shards);
  }

  JobIndex withShards(List<PackedShard> others) {
    return new JobIndex(format, classes, options, fields, others);
  }

  /** Returns all components but format and shards as members of a JSON object, in a fixed order. */
  public Map<String, Object> members() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put(CLASSES, classes);
    members.put(OPTIONS, new TreeMap<>(options));
    Map<String, Object> types = new TreeMap<>();
    fields.forEach((name, type) -> types.put(name, type.name()));
    members.put(FIELDS, types);
    return members;
  }

  public static JobIndex of(String format, Map<?, ?> json, List<PackedShard> shards) {
    JsonMembers members = JsonMembers.of("the description of a job", json);
    Map<String, FieldType> fields = new TreeMap<>();
    members
        .object(FIELDS)
        .strings()
        .forEach((name, type) -> fields.put(name, FieldType.valueOf(type)));
    return new JobIndex(
        format, members.strings(CLASSES), members.object(OPTIONS).strings(), fields, shards);
  }
}

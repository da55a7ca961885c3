package io.feedline.formats.store.internal;

import io.feedline.formats.store.PackedShard;
import java.util.List;
import java.util.Map;

/**
 * {@code shards.json}: the shards of a store whose format has no index of its own, in their order.
 * It is in the form of WebDataset's {@code wids}, with a few members more:
 *
 * <pre>{@code
 * {"__kind__": "wids-shard-index-v1", "wids_version": 1,
 *  "format": "webdataset", "classes": ["cat", "dog"], "options": {...},
 *  "shardlist": [{"url": "JOB/00000-0/data-000000.tar", "nsamples": 3, "filesize": 1536, "sha256": "..."}]}
 * }</pre>
 *
 * <p>A directory that has it consists of these shards and no others.
 *
 * @param format the name of the format
 * @param classes the names of the classes, by label; empty where there are none
 * @param options what the format was told, by name, such as {@code first-label}
 * @param shards with paths below the directory
 */
public record ShardList(
    String format, List<String> classes, Map<String, String> options, List<PackedShard> shards) {

  /** The name of the file. */
  public static final String NAME = "shards.json";
}

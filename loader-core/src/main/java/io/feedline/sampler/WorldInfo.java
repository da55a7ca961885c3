package io.feedline.sampler;

import java.util.Map;

/**
 * The place of this process among the processes that train together, in PyTorch's words: the rank,
 * and the size of the world. Immutable.
 *
 * @param rank from 0 to {@code worldSize - 1}
 * @param worldSize the number of processes that train together, 1 or more
 */
public record WorldInfo(int rank, int worldSize) {

  /** A process on its own. */
  public static final WorldInfo SINGLE = new WorldInfo(0, 1);

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the world is empty or the rank is not in it
   */
  public WorldInfo {
    if (worldSize < 1) {
      throw new IllegalArgumentException("worldSize must be 1 or more, was " + worldSize);
    }
    if (rank < 0 || rank >= worldSize) {
      throw new IllegalArgumentException(
          "rank must be from 0 to %d in a world of %d, was %d"
              .formatted(worldSize - 1, worldSize, rank));
    }
  }

  /**
   * Returns the rank and the world size from the environment variables {@code RANK} and {@code
   * WORLD_SIZE}, which launchers such as {@code torchrun} set; {@link #SINGLE} if neither is set.
   *
   * @throws IllegalArgumentException if only one variable is set, or a value is not a number or out
   *     of range
   */
  public static WorldInfo fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  /** Returns the result of {@link #fromEnvironment()} for the given environment variables. */
  public static WorldInfo fromEnvironment(Map<String, String> environment) {
    String rank = environment.get("RANK");
    String worldSize = environment.get("WORLD_SIZE");
    if (rank == null && worldSize == null) {
      return SINGLE;
    }
    if (rank == null || worldSize == null) {
      throw new IllegalArgumentException(
          "the environment sets %s, but not %s; a launcher sets both, a process on its own neither"
              .formatted(
                  rank == null ? "WORLD_SIZE=" + worldSize : "RANK=" + rank,
                  rank == null ? "RANK" : "WORLD_SIZE"));
    }
    try {
      return new WorldInfo(number("RANK", rank), number("WORLD_SIZE", worldSize));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the environment sets RANK=%s and WORLD_SIZE=%s: %s"
              .formatted(rank, worldSize, e.getMessage()),
          e);
    }
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + " is not a whole number", e);
    }
  }
}

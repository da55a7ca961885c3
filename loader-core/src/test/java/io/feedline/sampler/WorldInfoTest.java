package io.feedline.sampler;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorldInfoTest {

  @Test
  void shouldReadWhatALauncherSets() {
    assertThat(WorldInfo.fromEnvironment(Map.of("RANK", "3", "WORLD_SIZE", "8", "PATH", "/bin")))
        .isEqualTo(new WorldInfo(3, 8));
    assertThat(WorldInfo.fromEnvironment(Map.of("PATH", "/bin"))).isEqualTo(new WorldInfo(0, 1));
    assertThat(WorldInfo.fromEnvironment()).isEqualTo(WorldInfo.fromEnvironment(System.getenv()));
    assertRefused(
        () -> WorldInfo.fromEnvironment(Map.of("RANK", "3")), "RANK=3, but not WORLD_SIZE");
    assertRefused(
        () -> WorldInfo.fromEnvironment(Map.of("WORLD_SIZE", "8")), "WORLD_SIZE=8, but not RANK");
  }

  @ParameterizedTest
  @CsvSource({
    "x, 8, RANK is not a whole number",
    "'', 8, RANK is not a whole number",
    "0, 2.0, WORLD_SIZE is not a whole number",
    "8, 8, 'rank must be from 0 to 7 in a world of 8, was 8'",
    "-1, 8, 'rank must be from 0 to 7 in a world of 8, was -1'",
    "0, 0, 'worldSize must be 1 or more, was 0'",
  })
  void shouldShowBothVariablesAndWhatIsWrongWithThem(
      String rank, String worldSize, String problem) {
    assertRefused(
        () -> WorldInfo.fromEnvironment(Map.of("RANK", rank, "WORLD_SIZE", worldSize)),
        "the environment sets RANK=%s and WORLD_SIZE=%s: %s".formatted(rank, worldSize, problem));
  }
}

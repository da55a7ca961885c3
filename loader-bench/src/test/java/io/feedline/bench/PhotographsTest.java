package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.transform.Resize;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PhotographsTest {
  private static final Optional<String> PILLOW = Python.having("numpy, PIL");

  @AutoClose private static GeneratedFolder images;

  @TempDir private Path scratch;

  @BeforeAll
  static void generate() throws IOException {
    images = GeneratedFolder.create(2, 320, 240);
  }

  static boolean hasPillow() {
    return PILLOW.isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"whole", "draft"})
  void shouldShrinkAsItIsTold(String way) throws IOException {
    Path photograph = images.root().resolve("odd").resolve("1.jpg");
    Path list = scratch.resolve("list");
    Files.write(list, List.of(images.root().resolve("even/0.jpg").toString(), photograph + ""));
    Path samples = scratch.resolve("samples");
    String lines = "run %s 64 0.0001%ndump %s 64 1 %s%n".formatted(way, way, samples);

    Run run =
        Run.of(
            new Photographs(new BufferedReader(new StringReader(lines))).commandLine(),
            "--list=" + list);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).hasSize(3);
    assertThat(run.out().get(0)).startsWith("ready ").contains(" JDK ");
    assertThat(Timing.parse(run.out().get(1)).items() % 2).isZero();
    assertThat(run.out().get(2)).isEqualTo("dumped");
    DecodeOptions options = DecodeOptions.DEFAULT.withFast(way.equals("draft"));
    Image expected =
        Resize.of(64)
            .apply(Image.ofEncoded(Files.readAllBytes(photograph), "1.jpg", options))
            .toTensor(DType.UINT8, ImageLayout.CHW);
    ByteBuffer row = ByteBuffer.allocate(3 * 64 * 85).order(ByteOrder.nativeOrder());
    expected.writeTo(row);
    assertThat(Files.readAllBytes(samples)).isEqualTo(row.array());
  }

  @Test
  @Tag("once")
  @EnabledIf(value = "hasPillow", disabledReason = "no python3 with numpy and Pillow")
  void shouldHaveThePixelsOfPillow() throws Exception {
    List<String> arguments =
        List.of(
            "peers/photographs.py",
            "--data=" + images.root(),
            "--only=Pillow",
            "--only=Pillow, draft",
            "--edge=64",
            "--rounds=1",
            "--seconds=0.0001",
            "--java=" + Path.of(System.getProperty("java.home"), "bin", "java"),
            "--classpath=" + System.getProperty("java.class.path"));

    Run run = Run.of(Python.process(PILLOW.orElseThrow(), arguments), scratch);

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out())
        .anySatisfy(line -> assertThat(line).matches("\\| Pillow \\|.*\\| none \\|[^|]*dB \\|"))
        .anySatisfy(line -> assertThat(line).matches("\\| Pillow, draft .*dB \\| none \\|"));
  }
}

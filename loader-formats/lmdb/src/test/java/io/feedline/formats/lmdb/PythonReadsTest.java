package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.formats.store.StoreWriter;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Python's lmdb and lz4 read what is written here. Skipped where no python3 on the path can import
 * them.
 */
class PythonReadsTest {

  private static String python;

  @TempDir Path folder;

  @BeforeAll
  static void findPython() throws Exception {
    List<String> tried = new ArrayList<>();
    for (String directory :
        System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      Path candidate = Path.of(directory, "python3");
      if (python == null && Files.isExecutable(candidate)) {
        tried.add(candidate.toString());
        int status =
            Forked.run(List.of(candidate.toString(), "-c", "import lmdb, lz4.frame")).status();
        python = status == 0 ? candidate.toString() : null;
      }
    }
    assumeThat(python).as("a python3 that imports lmdb and lz4, of %s", tried).isNotNull();
  }

  private List<String> read(Path database) throws Exception {
    Path script = Files.write(folder.resolve("read.py"), Content.fixture("read_feedline.py"));
    Forked.Result result = Forked.run(List.of(python, script.toString(), database.toString()));
    assertThat(result.status()).as(result.output()).isZero();
    return result.output().lines().toList();
  }

  private static String crc(byte[] bytes) {
    CRC32 crc = new CRC32();
    crc.update(bytes);
    return "%08x".formatted(crc.getValue());
  }

  @Test
  void shouldReadOurImages() throws Exception {
    List<String> expected = new ArrayList<>(List.of("pictures 3 cat dog"));
    for (int i = 0; i < 3; i++) {
      byte[] image = Databases.image(Databases.PICTURES.get(i));
      expected.add("%d folder/%d %s".formatted(i % 2, i, crc(image)));
    }

    assertThat(read(Databases.ofPictures(folder.resolve("x.lmdb")))).isEqualTo(expected);
  }

  @Test
  void shouldReadOurTensors() throws Exception {
    Path path = folder.resolve("x.lmdb");
    List<String> expected = new ArrayList<>(List.of("tensors 3 image label"));
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path)) {
      for (int i = 0; i < 3; i++) {
        byte[] image = Content.of(3 * 300 * (100 + i));
        Map<String, Tensor> sample = new LinkedHashMap<>();
        sample.put("image", Tensor.of(image, 3, 300, 100 + i));
        sample.put("label", Tensor.of(new long[] {i}));
        writer.write(sample);
        expected.add(
            "uint8[3,300,%d]%s int64[1]%s"
                .formatted(100 + i, crc(image), crc(sample.get("label").toByteArray())));
      }
      writer.commit();
    }

    assertThat(read(path)).isEqualTo(expected);
  }
}

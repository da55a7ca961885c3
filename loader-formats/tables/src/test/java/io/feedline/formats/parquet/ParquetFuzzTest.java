package io.feedline.formats.parquet;

import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.table.BrokenTables;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files with broken bytes, and footers that lie. Whatever they are, there are images or an error
 * that names the file, and no more memory is taken than sound files need.
 */
class ParquetFuzzTest {

  @TempDir private Path directory;

  private static byte[] sound(String name) {
    return FixtureFiles.bytes(ParquetFuzzTest.class, name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "snappy.parquet",
        "zstd.parquet",
        "gzip.parquet",
        "lz4.parquet",
        "v2_snappy.parquet",
        "pages.parquet",
        "deltas.parquet",
        "repeated.parquet"
      })
  void shouldReadBrokenFilesOrRefuseThem(String name) throws IOException {
    byte[] sound = sound(name);
    int footer = ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getInt(sound.length - 8) + 8;
    // Half of the cases change the footer.
    int length = sound.length;
    BrokenTables.read(directory.resolve(name), sound, length - footer, length, 4);
  }

  /** Every length: what is cut off has no footer, or one of other bytes. */
  @Test
  void shouldRefuseFilesThatAreCutOff() throws IOException {
    byte[] sound = sound("snappy.parquet");
    BrokenTables.cut(directory.resolve("cut.parquet"), sound, sound.length);
  }

  private Path lying(String name, Consumer<FileMetaData> lie) throws IOException {
    byte[] sound = sound(name);
    int footer = ByteBuffer.wrap(sound).order(ByteOrder.LITTLE_ENDIAN).getInt(sound.length - 8);
    int start = sound.length - 8 - footer;
    FileMetaData metadata = Util.readFileMetaData(new ByteArrayInputStream(sound, start, footer));
    lie.accept(metadata);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(sound, 0, start);
    Util.writeFileMetaData(metadata, out);
    byte[] length = new byte[4];
    ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).putInt(out.size() - start);
    out.writeBytes(length);
    out.writeBytes(new byte[] {'P', 'A', 'R', '1'});
    return Files.write(directory.resolve("lying.parquet"), out.toByteArray());
  }

  private void refused(Consumer<FileMetaData> lie, String... words) throws IOException {
    BrokenTables.refused(lying("snappy.parquet", lie), 0, words);
  }

  private static ColumnChunk column(FileMetaData file) {
    return file.getRow_groups().get(0).getColumns().get(0);
  }

  @Test
  void shouldRefuseCountsThatCannotBe() throws IOException {
    refused(file -> file.setNum_rows(1L << 40), "has 1099511627776 rows", "have 12");
    refused(
        file -> {
          file.getRow_groups().get(0).setNum_rows(1L << 40);
          file.setNum_rows((1L << 40) + 7);
        },
        "row group 0");
    refused(
        file -> {
          file.getRow_groups().get(0).setNum_rows(1 << 30);
          file.setNum_rows((1 << 30) + 7);
          file.getRow_groups()
              .get(0)
              .getColumns()
              .forEach(column -> column.getMeta_data().setNum_values(1 << 30));
        },
        "row group 0",
        "no page");
    refused(file -> column(file).getMeta_data().setNum_values(3), "3 values for 5 rows");
    refused(
        file -> column(file).getMeta_data().setTotal_compressed_size(1L << 50),
        "row group 0, column image.bytes");
    refused(
        file -> column(file).getMeta_data().setData_page_offset(-7),
        "row group 0, column image.bytes");
    refused(file -> file.getSchema().get(1).setNum_children(9), "schema");
    refused(file -> file.setRow_groups(List.of()), "12 rows");
    refused(file -> column(file).setFile_path("/etc/passwd"), "another file");
  }
}

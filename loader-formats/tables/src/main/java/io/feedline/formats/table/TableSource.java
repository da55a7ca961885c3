package io.feedline.formats.table;

import io.feedline.data.FormatException;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.samples.ColumnValues;
import io.feedline.formats.store.internal.samples.TableFile;
import io.feedline.formats.store.internal.samples.TableFile.Block;
import io.feedline.formats.store.internal.samples.TableFile.Front;
import io.feedline.formats.store.internal.samples.TableFile.Need;
import io.feedline.formats.store.internal.samples.TableFile.Wanted;
import io.feedline.formats.store.internal.shards.ShardTasks;
import io.feedline.formats.store.internal.shards.TableFormat;
import io.feedline.formats.store.internal.shards.TableFormat.TextOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

record TableSource(TableFormat format, List<Path> paths, Options options) {

  record Options(TextOptions text, boolean allowMissing) {
    static final Options DEFAULT = new Options(TextOptions.DEFAULT, false);
  }

  static TableSource open(Path path, Options options) throws IOException {
    TableFormat format = TableFormat.of(path);
    return new TableSource(format, format.files(path, options.allowMissing()), options);
  }

  static TableSource listed(List<Path> files, Options options) throws IOException {
    List<Path> checked = TableFormat.listed(files, options.allowMissing());
    return new TableSource(TableFormat.of(checked.get(0)), checked, options);
  }

  TableFile open(OpenFiles files, int number) throws IOException {
    return format.open(files, paths.get(number), options.text());
  }

  String words() {
    return paths.get(0) + (paths.size() == 1 ? "" : ", ... " + paths.size() + " files");
  }

  List<TableFile> openAll(OpenFiles files) throws IOException {
    return ShardTasks.all(paths, files, file -> format.open(files, file, options.text()));
  }

  void names(String column, Consumer<String> taker) throws IOException {
    List<Wanted> wanted = List.of(new Wanted(column, Need.NAME));
    for (int i = 0; i < paths.size(); i++) {
      try (OpenFiles files = new OpenFiles(1);
          Front front = open(files, i).front(wanted)) {
        for (Block block = front.next(); block != null; block = front.next()) {
          ColumnValues values = block.read().get(0);
          try {
            RowPlan.requireNames(column, values);
          } catch (FormatException none) {
            throw none.at(paths.get(i).toString());
          }
          for (int row = 0; row < block.rows(); row++) {
            String problem = values.failures().get(row);
            if (problem != null) {
              throw FormatException.in(paths.get(i), block.place(row) + ": " + problem);
            }
            for (int at = values.from(row); at < values.to(row); at++) {
              if (!values.isNull(at)) {
                taker.accept(RowPlan.name(values, at));
              }
            }
          }
        }
      }
    }
  }
}

package io.feedline.formats.cli.internal.stores;

import io.feedline.data.SampleContext;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.image.ContactSheet;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.samples.PreviewFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that draws images of a store side by side, unchanged or after a training's crop. */
@Command(
    name = "show",
    description = {
      "Draws images of a store side by side into a PNG, spread evenly over the store: as they are,"
          + " or as a training sees them. Prints which they are, row by row.",
      "Of videos it draws frames, and of sounds spectrograms, with loader-media on the class path.",
      "A program draws its own samples and transforms with ContactSheet, masks and boxes included."
    },
    mixinStandardHelpOptions = true)
public final class ShowCommand extends StoreCommand {

  enum Pipeline {
    NONE,
    /** A random crop and a random flip, as in training. */
    TRAIN,
    /** A center crop, as in validation. */
    VAL;

    ImageDataset over(ImageDataset images, int size) {
      return this == NONE
          ? images
          : images.withTransform(PipelineOptions.geometry(Output.name(this), size));
    }
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The picture, PNG; a file that is there is replaced.")
  private Path output;

  @Option(
      names = {"-n", "--images"},
      paramLabel = "N",
      description = "How many are drawn. Default: ${DEFAULT-VALUE}.")
  private int count = 16;

  @Option(
      names = "--first",
      paramLabel = "INDEX",
      description = "Draws the images from this one on, instead of some of all.")
  private Long first;

  @Option(
      names = "--pipeline",
      paramLabel = "NAME",
      description = {
        "none; train, RandomResizedCrop and RandomHorizontalFlip; val, Resize and CenterCrop.",
        "Default: ${DEFAULT-VALUE}."
      })
  private Pipeline pipeline = Pipeline.NONE;

  @Option(
      names = "--image-size",
      paramLabel = "N",
      description = "Side of the crops of train and val. Default: ${DEFAULT-VALUE}.")
  private int imageSize = 224;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Of the crops, those of a loader's first epoch. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--columns",
      paramLabel = "N",
      description = "Images of a row. Default: about as many as there are rows.")
  private Integer columns;

  @Option(
      names = "--cell",
      paramLabel = "N",
      description = "Pixels of the longer side of a drawn image. Default: ${DEFAULT-VALUE}.")
  private int cell = 224;

  @Override
  public int run(StoreFormat format, ImageDataset images) throws Exception {
    Output.requirePlaceOf(output);
    require(count >= 1, "--images must be 1 or more, was %d", count);
    require(imageSize >= 1, "--image-size must be 1 or more, was %d", imageSize);
    require(images.size() > 0, "%s has no images", path());
    long from = first == null ? 0 : first;
    require(
        from >= 0 && from < images.size(),
        "--first must be from 0 to %d, was %d",
        images.size() - 1,
        from);
    int shown = (int) Math.min(count, images.size() - from);
    ImageDataset seen = pipeline.over(images, imageSize);
    List<LabeledImage> drawn = new ArrayList<>();
    List<String> captions = new ArrayList<>();
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = 0; i < shown; i++) {
      long index = first == null ? InspectCommand.spread(i, shown, images.size()) : from + i;
      LabeledImage sample = seen.get(index, new SampleContext(seed, 0, index));
      drawn.add(sample);
      captions.add(Long.toString(index));
      rows.add(row(images, index, sample));
    }
    ContactSheet sheet = sheet(drawn).withCaptions(captions).withClasses(images.classes());
    sheet.writeTo(output);
    print(sheet, rows);
    return ExitCode.OK;
  }

  /** Draws frames of a video, or the spectrogram of a sound. */
  @Override
  public OptionalInt runWithoutImages(Path read) throws Exception {
    Optional<PreviewFiles> files = PreviewFiles.find(read);
    if (files.isEmpty()) {
      return OptionalInt.empty();
    }
    Output.requirePlaceOf(output);
    require(count >= 1, "--images must be 1 or more, was %d", count);
    require(
        pipeline == Pipeline.NONE && first == null,
        "--pipeline and --first are for stores of images, not for %s",
        files.get().inWords());
    List<PreviewFormat.Picture> pictures = files.get().draw(count);
    List<String> captions = pictures.stream().map(PreviewFormat.Picture::caption).toList();
    ContactSheet sheet =
        sheet(
                pictures.stream()
                    .map(each -> Image.ofRgb(each.rgb(), each.width(), each.height()))
                    .toList())
            .withCaptions(captions);
    sheet.writeTo(output);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("output", output.toString());
    result.put("columns", sheet.columns());
    result.put("pictures", captions);
    List<String> lines = new ArrayList<>();
    lines.add("%s: %s".formatted(path(), files.get().inWords()));
    captions.forEach(each -> lines.add("  " + each));
    lines.add("Wrote " + output);
    common().print(result, lines);
    return OptionalInt.of(ExitCode.OK);
  }

  private ContactSheet sheet(List<?> drawn) {
    try {
      ContactSheet sheet = ContactSheet.of(drawn).withCell(cell);
      return columns == null ? sheet : sheet.withColumns(columns);
    } catch (IllegalArgumentException wrong) {
      throw common().refusal(wrong.getMessage(), wrong);
    }
  }

  private static Map<String, Object> row(ImageDataset images, long index, LabeledImage sample) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("index", index);
    row.put("label", sample.label());
    if (sample.label() >= 0 && sample.label() < images.classes().size()) {
      row.put("class", images.classes().get(sample.label()));
    }
    row.put("width", sample.image().width());
    row.put("height", sample.image().height());
    row.put("place", images.describe(index));
    return row;
  }

  private void print(ContactSheet sheet, List<Map<String, Object>> rows) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (i % sheet.columns() == 0) {
        lines.add("row " + (1 + i / sheet.columns()));
      }
      Map<String, Object> row = rows.get(i);
      lines.add(
          "  %s  %s  %s x %s  %s"
              .formatted(
                  row.get("index"),
                  row.getOrDefault("class", row.get("label")),
                  row.get("width"),
                  row.get("height"),
                  row.get("place")));
    }
    lines.add("Wrote " + output);
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("output", output.toString());
    result.put("columns", sheet.columns());
    result.put("images", rows);
    common().print(result, lines);
  }
}

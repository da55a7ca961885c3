package io.feedline.transform;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.BatchTransform;
import io.feedline.internal.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TransformsTest {

  private enum Rounding {
    DOWN,
    UP
  }

  private record Bounds(double least, double most) {}

  private record Scaled(double factor, Rounding rounding, Optional<Bounds> bounds)
      implements Transform<Double, Double> {
    Scaled {
      if (factor == 0) {
        throw new IllegalArgumentException("factor must not be 0");
      }
    }

    @Override
    public Double apply(Double input) {
      double scaled = input * factor;
      return rounding == Rounding.UP ? Math.ceil(scaled) : Math.floor(scaled);
    }
  }

  /** A transform whose constructor is hidden. */
  private static final class Shifted extends Transforms.Value
      implements RandomTransform<Double, Double> {

    private record Options(float[] by, List<String> labels, long seed, boolean twice) {}

    private final Options options;

    private Shifted(Options options) {
      super(options);
      this.options = options;
    }

    static Shifted by(float... by) {
      return new Shifted(new Options(by, List.of("a", "\u00fc"), Long.MIN_VALUE, true));
    }

    Shifted withSeed(Object seed) {
      return with("seed", seed);
    }

    @Override
    public Double apply(Double input, RandomGenerator random) {
      return input + options.by[random.nextInt(options.by.length)];
    }
  }

  private record Tripled(int times) implements BatchTransform {
    @Override
    public void apply(MutableBatch batch, RandomGenerator random) {}
  }

  private static final Scaled HALF = new Scaled(0.5, Rounding.UP, Optional.empty());
  private static final Scaled BOUND =
      new Scaled(-1e300, Rounding.DOWN, Optional.of(new Bounds(-0.1, 7)));

  private static RandomTransform<Double, Double> read(String text) {
    return Transforms.fromJson(text, Scaled.class, Shifted.class);
  }

  @Test
  void shouldReadWhatItWrote() throws Exception {
    List<RandomTransform<Double, Double>> transforms =
        List.of(
            HALF,
            BOUND,
            Shifted.by(),
            Shifted.by(0.1f, Float.MIN_VALUE, -3e38f),
            HALF.andThen(BOUND),
            HALF.andThen(Shifted.by(1, 2)).andThen(BOUND),
            RandomApply.of(HALF.andThen(Shifted.by(1)), 0.25),
            RandomChoice.of(List.of(HALF, RandomApply.of(Shifted.by(3))), 1, 2.5),
            RandomTransform.inRandomOrder(HALF, BOUND));
    for (RandomTransform<Double, Double> each : transforms) {
      RandomTransform<Double, Double> back = read(Transforms.toJson(each));

      assertThat(back).isEqualTo(each).hasToString(each.toString()).hasSameClassAs(each);
      assertThat(back.hashCode()).isEqualTo(each.hashCode());
      for (int index = 0; index < 20; index++) {
        if (!each.equals(Shifted.by())) {
          assertThat(back.apply(5.0, new SampleRandom(1, 2, index, 0)))
              .isEqualTo(each.apply(5.0, new SampleRandom(1, 2, index, 0)));
        }
      }
    }
  }

  @Test
  void shouldTellCompositionsApartByTheirPartsAlone() {
    Shifted shift = Shifted.by(1);

    assertThat(HALF.andThen(BOUND).andThen(HALF)).isEqualTo(HALF.andThen(BOUND.andThen(HALF)));
    assertThat(HALF.andThen(BOUND).andThen(shift)).isEqualTo(HALF.andThen(BOUND.andThen(shift)));
    assertThat(HALF.andThen(shift)).isNotEqualTo(shift.andThen(HALF));
    assertThat(Shifted.by(1)).isEqualTo(shift).isNotEqualTo(Shifted.by(1, 1)).isNotEqualTo(HALF);
    assertThat(shift.withSeed(3L)).isNotEqualTo(shift).isEqualTo(Shifted.by(1).withSeed(3L));
  }

  @Test
  void shouldShowOptions() {
    assertThat(Shifted.by(0.5f))
        .hasToString(
            "Shifted(by=[0.5], labels=[a, \u00fc], seed=-9223372036854775808, twice=true)");
    assertThat(RandomApply.of(HALF, 0.3).options())
        .containsExactly(Map.entry("transform", HALF), Map.entry("probability", 0.3));
    assertThat(Shifted.by(-0f).options().get("by")).isEqualTo(List.of(0f));
    assertThatThrownBy(() -> Shifted.by(1).withSeed(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("seed");
  }

  @Test
  void shouldReadTransformsOfBatches() {
    BatchTransform one = new Tripled(1);
    BatchTransform two = new Tripled(2);
    for (BatchTransform each :
        List.of(one, one.andThen(two).andThen(one), BatchTransform.oneOf(one, two.andThen(one)))) {
      String text = Transforms.batchToJson(each);

      assertThat(Transforms.batchFromJson(text, Tripled.class))
          .isEqualTo(each)
          .hasToString(each.toString());
      assertRefused(() -> Transforms.fromJson(text, Tripled.class));
    }
    assertThat(one.andThen(two).andThen(one)).isEqualTo(one.andThen(two.andThen(one)));
    assertRefused(
        () -> Transforms.batchToJson((batch, random) -> {}),
        "make it a record that implements BatchTransform");
  }

  @Test
  void shouldRefuseWhatHasNoOptions() {
    RandomTransform<Double, Double> lambda = (value, random) -> value;
    RandomTransform<Double, Double> anonymous =
        new RandomTransform<>() {
          @Override
          public Double apply(Double input, RandomGenerator random) {
            return input;
          }
        };

    assertRefused(
        () -> Transforms.toJson(lambda),
        "a lambda of TransformsTest has no options that JSON could hold: make it a record that"
            + " implements RandomTransform, and give the record's class to fromJson; or add it"
            + " in code, behind what is read");
    assertThatThrownBy(() -> Transforms.toJson(RandomApply.of(HALF.andThen(lambda))))
        .hasMessageStartingWith("transform of RandomApply: a lambda of TransformsTest has no");
    assertThatThrownBy(() -> Transforms.toJson(anonymous))
        .hasMessageStartingWith("a transform of io.feedline.transform.TransformsTest$");
    assertRefused(
        () -> Transforms.toJson(new Scaled(Double.NaN, Rounding.UP, Optional.empty())),
        "factor of Scaled: JSON has no number NaN");
  }

  @Test
  void shouldLoadNoClassThatWasNotGiven() {
    String text = Transforms.toJson(HALF);
    assertRefused(
        () -> Transforms.fromJson(text),
        "transform.io.feedline.transform.TransformsTest$Scaled: no transform of this name is"
            + " known; the class of one of your own is given to fromJson");
    assertRefused(
        () -> Transforms.fromJson(text, String.class), "java.lang.String is no Transform");
    assertRefused(() -> Transforms.fromJson(text, Transform.class), "is not like a record");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "[]                       | the transforms: no JSON object",
        "{'transform':[]}         | the transforms: ''version'' is missing",
        "{'version':2}            | the transforms: version 2 is not known, only 1",
        "{'version':1}            | transform must be a transform, {name: options}, or a list",
        "{'version':1,'t':1}      | the transforms has no member ''t''; known are",
        "{'version':1,'transform':[]} | transform must have a transform, was an empty list",
        "{'version':1,'transform':[{}]} | transform[0] must be a transform, {name: options}, or a"
            + " list of them, was an object of 0 members",
        "{'version':1,'transform':{'Other':{}}} | transform.Other: no transform of this name",
      })
  void shouldSayWhatIsWrongWithAText(String text, String words) {
    assertRefused(() -> Transforms.fromJson(text.replace('\'', '"')), words.replace("''", "'"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "factor   | null     | factor is missing",
        "factor   | 0        | factor must not be 0",
        "factor   | true     | factor must be a number, was Boolean",
        "rounding | 'SIDE'   | rounding must be one of [DOWN, UP], was 'SIDE'",
        "rounding | 3        | rounding must be a string, was Long",
        "bounds   | [1]      | bounds must be a list of 2, [least, most], was one of 1",
        "bounds   | [1,null] | bounds[1] must not be null",
        "bounds   | {}       | bounds must be a list, was",
        "more     | 1        | has no option 'more'; known are [factor, rounding, bounds]",
        "by       | [1,'x']  | by[1] must be a number, was String",
        "labels   | [1]      | labels[0] must be a string, was Long",
        "seed     | 1.5      | seed must be a whole number, was BigDecimal",
        "twice    | 1        | twice must be true or false, was Long",
      })
  @SuppressWarnings("unchecked")
  void shouldSayWhichOptionIsWrong(String option, String json, String words) {
    boolean shifted = List.of("by", "labels", "seed", "twice").contains(option);
    String whole = Transforms.toJson(shifted ? Shifted.by(1) : HALF);
    Map<String, Object> text = Json.read(whole);
    Map<String, Object> transform = (Map<String, Object>) text.get("transform");
    String name = transform.keySet().iterator().next();
    Map<String, Object> options = new HashMap<>((Map<String, Object>) transform.get(name));
    options.put(option, Json.readValue(json.replace('\'', '"')));
    transform.put(name, options);

    assertThatThrownBy(() -> read(Json.write(text)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("transform." + name)
        .hasMessageContaining(words);
  }
}

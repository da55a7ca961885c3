package io.feedline.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import scala.Function1;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag;

/**
 * A stage whose tasks all run at once, and all restart when a task fails: Spark's {@code
 * RDD.barrier()}, which has no Java interface.
 */
final class BarrierStage {

  private BarrierStage() {}

  static <T, R> JavaRDD<R> mapPartitions(JavaRDD<T> rdd, FlatMapFunction<Iterator<T>, R> function) {
    ClassTag<R> any = objects();
    return rdd.rdd().barrier().mapPartitions(new Call<>(function), false, any).toJavaRDD();
  }

  // As in Spark's own Java classes, an unknown type has the class tag of Object.
  @SuppressWarnings("unchecked")
  private static <R> ClassTag<R> objects() {
    return (ClassTag<R>) ClassTag.apply(Object.class);
  }

  /** A Java function as a Scala function, which is sent to tasks. */
  private static final class Call<T, R>
      implements Function1<scala.collection.Iterator<T>, scala.collection.Iterator<R>>,
          Serializable {
    private static final long serialVersionUID = 1;

    private final FlatMapFunction<Iterator<T>, R> function;

    Call(FlatMapFunction<Iterator<T>, R> function) {
      this.function = Objects.requireNonNull(function, "function");
    }

    // Scala 2.13 deprecates JavaConverters, but Scala 2.12 lacks its successor.
    @Override
    @SuppressWarnings("deprecation")
    public scala.collection.Iterator<R> apply(scala.collection.Iterator<T> partition) {
      try {
        return JavaConverters.asScalaIterator(
            function.call(JavaConverters.asJavaIterator(partition)));
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("the function of a partition failed: " + e.getMessage(), e);
      }
    }
  }
}

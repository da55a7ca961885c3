/** Apache Spark packs and reads stores of images: the data source {@code feedline}. */
package io.feedline.spark;

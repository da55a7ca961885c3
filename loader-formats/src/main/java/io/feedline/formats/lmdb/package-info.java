/** Pictures and tensors in LMDB databases, and the LZ4 frames that tensors are packed in. */
package io.feedline.formats.lmdb;

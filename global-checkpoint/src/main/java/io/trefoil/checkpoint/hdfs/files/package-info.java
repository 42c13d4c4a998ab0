/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The files that checkpoints and restores read and write in the name directories of a NameNode, and in the barriers of
 * its journal: kept images, the mark of the timeline that a directory belongs to, finished segments as edits files (paper
 * §4.3: a restore loads an image, and the edits up to the barrier).
 *
 * <p>Runs on the caller's thread, which waits for disks. Several threads may share a {@code RetainedImages}.
 */
package io.trefoil.checkpoint.hdfs.files;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * HDFS's edits as entries of the journal and back: one flush of HDFS is one entry (paper §4.1.2), one segment of HDFS a
 * sequence of entries.
 *
 * <p>Writing happens on HDFS's flushing thread, reading on the thread that loads edits.
 */
package io.trefoil.journal.hdfs.edits;

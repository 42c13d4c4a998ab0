/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The shared storage pool: a replicated journal for HDFS edits, kept by the NameNodes themselves.
 *
 * <p>The active NameNode sends batches of edits to every pool node and answers its clients when a majority has them on
 * disk. What decides is pure and stands in {@code model}, {@code protocol}, {@code replica} and {@code writer}; disk,
 * network and threads stand in {@code storage}, {@code transport} and {@code pool}; Hadoop is met only in {@code hdfs},
 * where {@code SspJournalManager} answers to {@code ssp://} URIs. See section 4.1 of the paper and {@code
 * docs/design/ssp-protocol.md}.
 */
package io.trefoil.journal;

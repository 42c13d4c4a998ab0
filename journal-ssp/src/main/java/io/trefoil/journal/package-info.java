/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The shared storage pool: a replicated journal for HDFS edits, kept by the NameNodes themselves.
 *
 * <p>The active NameNode sends batches of edits to every pool node and answers its clients when a majority has them on
 * disk. The code that decides is pure and is in {@code model}, {@code protocol}, {@code replica} and {@code writer};
 * disk, network and threads are in {@code storage}, {@code transport} and {@code pool}; only {@code hdfs} uses Hadoop,
 * and its {@code SspJournalManager} serves {@code ssp://} URIs. See section 4.1 of the paper and {@code
 * docs/design/ssp-protocol.md}.
 */
package io.trefoil.journal;

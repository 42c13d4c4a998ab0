/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The adapters from Hadoop to the journal: {@link io.trefoil.journal.hdfs.SspJournalManager} in place of QJM,
 * {@link io.trefoil.journal.hdfs.SspTailingPlugin}, and {@link io.trefoil.journal.hdfs.PoolNodeMain} in place of the
 * JournalNode.
 *
 * <p>This package and those below it translate between HDFS's terms and the journal's; they decide nothing. No other
 * package of the journal uses Hadoop, and {@code docs/design/hadoop-seam.md} lists every Hadoop member that is used.
 * Compiled against 3.4.3, it must run unchanged on 3.5.0: nothing here extends a Hadoop thread or uses a member that
 * only one of them has.
 */
package io.trefoil.journal.hdfs;

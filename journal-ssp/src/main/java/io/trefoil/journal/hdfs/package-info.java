/**
 * The seam with HDFS: {@link io.trefoil.journal.hdfs.SspJournalManager} answers to {@code ssp://} URIs (paper §4.1).
 *
 * <p>Here HDFS's words are translated into ours and back; nothing is decided. It is the only package that sees Hadoop,
 * and {@code docs/design/hadoop-seam.md} lists every Hadoop member that it uses. Compiled against 3.4.3, it must run
 * unchanged on 3.5.0: nothing here extends a Hadoop thread or uses a member that only one of them has.
 */
package io.trefoil.journal.hdfs;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.edits;

import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.StorageRecord.Event;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The steps of {@code -upgrade}, {@code -rollback} and {@code -finalizeUpgrade}, as entries of the journal.
 *
 * <p>During an upgrade, a JournalNode keeps a second directory, {@code previous}. The journal records the point before
 * the upgrade instead, and a rollback makes everything after it void. An entry is either committed by a majority or not
 * at all, so no node can have upgraded alone; QJM has no such guarantee and must reach all of its nodes.
 */
public final class StorageUpgrade {
    private static final Logger LOG = LoggerFactory.getLogger(StorageUpgrade.class);

    private final Term term;
    private final StorageRecord record;

    private StorageUpgrade(Term term, StorageRecord record) {
        this.term = term;
        this.record = record;
    }

    public static StorageUpgrade of(Term term) throws IOException {
        return new StorageUpgrade(
                term, term.end().storage().orElseThrow(() -> new IOException("The journal is not formatted")));
    }

    /** Records the point to which a rollback would return. */
    public void prepare() throws IOException {
        if (hasRollbackPoint(record)) {
            throw new IOException("Cannot upgrade: the journal was already upgraded from "
                    + record.rollbackPoint().get() + "; finalize that upgrade or roll it back first");
        }
        // The point must be the end of a segment: HDFS discards whole segments only.
        term.refuseOpenSegment("upgrade");
        // If the NameNode died after preparing an upgrade and before making it, the upgrade is prepared again.
        term.append(record.beforeUpgrade(term.end().lastTxId()));
        LOG.info(
                "Upgrade prepared: from={} txid={}",
                record.version(),
                term.end().lastTxId());
    }

    public void upgradeTo(StorageRecord.Version version) throws IOException {
        if (record.event() != Event.PRE_UPGRADE) {
            throw new IOException("Cannot upgrade the journal to " + version
                    + ": the upgrade was not prepared, its last storage record is " + record);
        }
        term.append(record.afterUpgrade(version));
        LOG.info("Upgraded: from={} to={}", record.version(), version);
    }

    /** Does nothing if there is no upgrade to finalize: HDFS may call finalize at any time. */
    public void abandonRollback() throws IOException {
        if (!hasRollbackPoint(record)) {
            LOG.info("No upgrade of the journal to finalize: storageRecord={}", record);
            return;
        }
        term.append(record.afterFinalize());
        LOG.info("Upgrade finalized: to={}", record.version());
    }

    /**
     * Does nothing if there is no upgrade to roll back: HDFS itself rolls back only those of its directories for which that is possible.
     */
    public void rollBack() throws IOException {
        if (!hasRollbackPoint(record)) {
            LOG.info("No upgrade of the journal to roll back: storageRecord={}", record);
            return;
        }
        term.refuseOpenSegment("roll back");
        term.append(record.afterRollback());
        LOG.info("Upgrade rolled back: to={}", record.rollbackPoint().get());
    }

    /**
     * Whether there is an upgrade to roll back.
     *
     * @throws IOException if it began at a layout version other than that of this software, as HDFS has it
     */
    public static boolean canRollBack(StorageRecord record, int targetLayoutVersion) throws IOException {
        if (!hasRollbackPoint(record)) {
            return false;
        }
        int previous = record.rollbackPoint().get().version().layoutVersion();
        if (previous != targetLayoutVersion) {
            throw new IOException("Cannot roll back the journal to storage version " + previous
                    + " with this version of the NameNode, which uses storage version " + targetLayoutVersion
                    + "; use the previous version of HDFS to roll back");
        }
        return true;
    }

    /**
     * Whether there is a rollback point: only a completed upgrade has one, as a prepared upgrade changed nothing, and a
     * rolled-back one has used its point.
     */
    private static boolean hasRollbackPoint(StorageRecord record) {
        return record.event() == Event.UPGRADE && record.rollbackPoint().isPresent();
    }
}

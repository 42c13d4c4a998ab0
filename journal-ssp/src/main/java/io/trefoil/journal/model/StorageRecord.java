/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/**
 * The content of a STORAGE entry: the journal's HDFS storage version, and the event that set it. Immutable.
 *
 * <p>An upgrade, and the point that a rollback returns to, are entries of the log: a majority decides about them as about
 * everything else, and no node renames a directory. The payload form is one line of words: {@code EVENT layoutVersion
 * cTime [previousLayoutVersion previousCTime upgradeTxId]}.
 */
@AutoValue
public abstract class StorageRecord {

    /** An event in the life of the storage. */
    public enum Event {
        /** The journal was formatted. */
        FORMAT,
        /** An upgrade began, and set a rollback point. */
        PRE_UPGRADE,
        /** The upgrade was made. */
        UPGRADE,
        /** The rollback point was given up. */
        FINALIZE,
        /** The upgrade was rolled back: every transaction after the upgrade point is void. */
        ROLLBACK
    }

    /** A storage version as HDFS counts it. */
    @AutoValue
    public abstract static class Version {

        public static Version of(int layoutVersion, long cTime) {
            return new AutoValue_StorageRecord_Version(layoutVersion, cTime);
        }

        public abstract int layoutVersion();

        /** Creation time of the storage, in milliseconds of the NameNode's clock; an upgrade changes it. */
        public abstract long cTime();

        @Override
        public final String toString() {
            return layoutVersion() + " " + cTime();
        }
    }

    /** The point at which an upgrade that is not finalized began. */
    @AutoValue
    public abstract static class RollbackPoint {

        public static RollbackPoint of(Version version, long lastTxId) {
            return new AutoValue_StorageRecord_RollbackPoint(version, lastTxId);
        }

        public abstract Version version();

        /** The last transaction before the upgrade. */
        public abstract long lastTxId();
    }

    public static StorageRecord of(Event event, Version version, Optional<RollbackPoint> rollbackPoint) {
        return new AutoValue_StorageRecord(event, version, rollbackPoint);
    }

    public static StorageRecord ofFormat(Version version) {
        return of(Event.FORMAT, version, Optional.<RollbackPoint>empty());
    }

    /** The record that begins an upgrade at {@code lastTxId}. */
    public final StorageRecord beforeUpgrade(long lastTxId) {
        return of(Event.PRE_UPGRADE, version(), Optional.of(RollbackPoint.of(version(), lastTxId)));
    }

    /** The record of the upgrade to a new version. */
    public final StorageRecord afterUpgrade(Version to) {
        return of(Event.UPGRADE, to, rollbackPoint());
    }

    /** The record that gives up the rollback point. */
    public final StorageRecord afterFinalize() {
        return of(Event.FINALIZE, version(), Optional.<RollbackPoint>empty());
    }

    /**
     * The record of a rollback to the rollback point.
     *
     * @throws IllegalStateException if there is none
     */
    public final StorageRecord afterRollback() {
        if (!rollbackPoint().isPresent()) {
            throw new IllegalStateException("No upgrade to roll back: " + this);
        }
        return of(Event.ROLLBACK, rollbackPoint().get().version(), rollbackPoint());
    }

    public abstract Event event();

    public abstract Version version();

    /**
     * The point to which a rollback returns: present from the beginning of an upgrade until it is finalized; in a ROLLBACK,
     * the point that was returned to.
     */
    public abstract Optional<RollbackPoint> rollbackPoint();

    /** The highest txid after this record, if it was {@code lastTxId} before. */
    final long lastTxIdAfter(long lastTxId) {
        return event() == Event.ROLLBACK
                ? Math.min(lastTxId, rollbackPoint().get().lastTxId())
                : lastTxId;
    }

    public final Bytes toPayload() {
        StringBuilder text = new StringBuilder().append(event()).append(' ').append(version());
        if (rollbackPoint().isPresent()) {
            text.append(' ')
                    .append(rollbackPoint().get().version())
                    .append(' ')
                    .append(rollbackPoint().get().lastTxId());
        }
        return Bytes.ofUtf8(text.append('\n').toString());
    }

    /** @throws IllegalArgumentException if the bytes are not a storage record */
    public static StorageRecord fromPayload(Bytes payload) {
        String[] words = payload.utf8().trim().split(" ");
        if (words.length != 3 && words.length != 6) {
            throw new IllegalArgumentException("Not a storage record: '" + payload.utf8() + "'");
        }
        Optional<RollbackPoint> rollbackPoint = words.length == 3
                ? Optional.<RollbackPoint>empty()
                : Optional.of(RollbackPoint.of(version(words[3], words[4]), Long.parseLong(words[5])));
        return of(Event.valueOf(words[0]), version(words[1], words[2]), rollbackPoint);
    }

    private static Version version(String layoutVersion, String cTime) {
        return Version.of(Integer.parseInt(layoutVersion), Long.parseLong(cTime));
    }
}

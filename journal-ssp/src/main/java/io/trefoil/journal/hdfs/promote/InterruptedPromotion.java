/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.device.FileStorageDevice;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A promotion whose process died between its two renames: the new storage is complete, the old one was moved aside, and neither has
 * the name under which a node opens it. Nothing is promoted yet, and what spoke for it may have changed meanwhile, so the
 * old storage is judged again.
 */
final class InterruptedPromotion {

    private InterruptedPromotion() {}

    static FileStorageDevice newDevice(Path directory) {
        return new FileStorageDevice(directory, StorageSizes.DEFAULT.withRecentBytes(0));
    }

    /**
     * The old storage of such a promotion, where it is now; empty if there is none. Changes nothing, except that it opens
     * storages as a starting node does.
     *
     * @param directory where the storage should be
     */
    static Optional<Path> oldStorage(Path directory) throws IOException {
        Optional<Path> made = newDevice(directory).unfinishedSuccessor();
        if (!made.isPresent()) {
            return Optional.empty();
        }
        String prefix = directory.getFileName() + ".moved-";
        try (JournalStorage successor = newDevice(made.get()).open();
                DirectoryStream<Path> siblings = Files.newDirectoryStream(
                        made.get().getParent(),
                        path -> path.getFileName().toString().startsWith(prefix))) {
            for (Path sibling : siblings) {
                if (isOldStorage(sibling, successor)) {
                    return Optional.of(sibling);
                }
            }
        }
        return Optional.empty();
    }

    /** Whether the heir's log is this one, followed only by the entries of a promotion, all of them in one new epoch. */
    private static boolean isOldStorage(Path directory, JournalStorage successor) throws IOException {
        FileStorageDevice device = newDevice(directory);
        if (!device.isFormatted()) {
            return false;
        }
        try (JournalStorage old = device.open()) {
            RecoveredJournal recovered = old.recoveredJournal();
            LogPosition end = recovered.tail().isEmpty()
                    ? recovered.committedSummary().position()
                    : recovered.tail().get(recovered.tail().size() - 1).position();
            Epoch last =
                    successor.recoveredJournal().committedSummary().position().epoch();
            boolean isPart = end.sn() >= successor.base().position().sn() && end.sn() < successor.lastSn();
            return isPart
                    && successor
                            .recoveredJournal()
                            .committedSummary()
                            .members()
                            .isRetired(recovered.identity().node())
                    && end.epoch().isBelow(last)
                    && epochAt(successor, end.sn()).equals(end.epoch())
                    && epochAt(successor, end.sn() + 1).equals(last);
        }
    }

    private static Epoch epochAt(JournalStorage storage, long sn) throws IOException {
        LogPosition base = storage.base().position();
        if (sn == base.sn()) {
            return base.epoch();
        }
        Entry entry = storage.read(sn, 1).get(0);
        return entry.epoch();
    }
}

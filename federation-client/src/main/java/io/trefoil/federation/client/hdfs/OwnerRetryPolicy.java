/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import io.trefoil.client.RetryDelays;
import io.trefoil.federation.client.hdfs.version.TableVersion;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The retry policy of one call while owners lag behind a change of the table: one has not opened its new directory, still gives old
 * answers, or keeps a directory sealed. Each wait has an end, and tells by which version the call is repeated.
 *
 * <p>Confined to the thread of the call, which sleeps.
 */
final class OwnerRetryPolicy {

    /** Finds newer versions. */
    interface VersionFinder {

        /**
         * A version other than the one with which an answer was obtained; the same one if a check that began after the answer found no
         * other.
         *
         * @param withinNanos how long it may wait for a keeper of the table that does not answer
         */
        TableVersion findNewer(TableVersion version, long withinNanos) throws InterruptedIOException;
    }

    private final List<Path> paths;
    private final VersionFinder finder;
    private final long longestNanos;
    private final LongSupplier nanoTime;

    /** The time since which each version has refused the call; before that, the call may have been held for long. */
    private final Map<TableVersion, Long> refusedSince = new HashMap<>();

    /** The versions with which the call was repeated although everything was open. */
    private final Set<TableVersion> seenOpen = new HashSet<>();

    /**
     * @param paths that the call names; a seal refuses to add the first
     * @param longestNanos how long to wait for one version
     */
    OwnerRetryPolicy(List<Path> paths, VersionFinder finder, long longestNanos, LongSupplier nanoTime) {
        this.paths = paths;
        this.finder = finder;
        this.longestNanos = longestNanos;
        this.nanoTime = nanoTime;
    }

    /**
     * Waits a moment if a directory is about to be opened on its new owner: a move does that once its new version is written, and
     * until then only superusers may enter the directory. A directory that is open by now may not have been when access was denied,
     * so the call is repeated once more.
     *
     * @return false if access is denied for another reason, or the client has known for too long that the directory was handed over
     */
    boolean awaitOpening(TableVersion version) throws InterruptedIOException {
        long startNanos = nanoTime.getAsLong() - longestNanos;
        return version.hasHandedOver(paths, startNanos) && awaitOpening(version, startNanos);
    }

    /**
     * Waits a moment like {@link #awaitOpening}, for a call about the directory itself, which NameNodes answer although it is closed.
     *
     * @return false if the answer is that of an open directory, or the client has known for too long that the directory was handed over
     */
    boolean awaitOwnOpening(TableVersion version) throws InterruptedIOException {
        long startNanos = nanoTime.getAsLong() - longestNanos;
        return version.hasHandedOverItself(paths.get(0), startNanos) && awaitOpening(version, startNanos);
    }

    /** Waits a moment for the new owner to open the directory; returns whether to repeat the call. */
    private boolean awaitOpening(TableVersion version, long startNanos) throws InterruptedIOException {
        if (version.isOpeningPending(paths, startNanos)) {
            pause(RetryDelays.nanosAfter(nanoTime.getAsLong() - version.readAt()));
            return true;
        }
        return seenOpen.add(version);
    }

    /**
     * The newer version that a NameNode reported. It exists; the NameNode that is asked for it may be an observer that is
     * behind. One between the two is not enough: by that, the call would be refused again.
     *
     * <p>If the call followed that version or a later one, its owner has what it is told of the time before: an earlier owner that has
     * the subtree again, and whose mark goes soon, or an observer that lags. Then, after a pause, the same version.
     *
     * <p>A restore makes versions void, and marks may name them still. So a table that went back is followed after a
     * pause, and if the version does not come, any other one that was read meanwhile, for which there is no more time.
     *
     * @throws IOException the refusal, if it is another one, or no other version can be read, or the owner does not stop
     */
    TableVersion versionAfterMove(TableVersion version, RemoteException e) throws IOException {
        IOException refusal = e.unwrapRemoteException(SubtreeMovedException.class);
        if (!(refusal instanceof SubtreeMovedException)) {
            throw e;
        }
        long refusedAt = refusalNanos(version);
        int requiredVersion = ((SubtreeMovedException) refusal).version().orElse(0);
        TableVersion known = version;
        while (true) {
            known = finder.findNewer(known, remainingNanos(refusedAt));
            boolean isOther = !known.hasSameView(version);
            if (isOther && known.view().version() >= requiredVersion) {
                return known;
            }
            if (isOther && isTimeoutOver(refusedAt)) {
                refusedSince.putIfAbsent(known, refusedAt);
                return known;
            }
            pauseOrThrow(refusedAt, refusal);
            if (known.view().version() < version.view().version()) {
                return known;
            }
            if (version.view().version() >= requiredVersion) {
                return version;
            }
        }
    }

    /**
     * Waits until a call that should have added a name can be repeated: there is a newer version, or the directory was unsealed. A
     * directory is sealed before the new version is made, and opened at its new owner afterwards, so a call may come in between.
     *
     * @throws IOException the refusal, if it does not come from a seal, or the seal lasts; or what the look for the seal meets
     */
    TableVersion versionAfterSeal(TableVersion version, NSQuotaExceededException refusal) throws IOException {
        long refusedAt = refusalNanos(version);
        Optional<Path> seal = Optional.empty();
        while (true) {
            TableVersion newer = finder.findNewer(version, remainingNanos(refusedAt));
            if (newer != version) {
                return newer;
            }
            try {
                if (!seal.isPresent()) {
                    seal = version.findSealAbove(paths.get(0));
                } else if (!version.sealExists(seal.get())) {
                    return version;
                }
            } catch (RemoteException e) {
                // The change has ended since, and the look for its seal is answered as any call for what was handed
                // over.
                return versionAfterMove(version, e);
            }
            if (!seal.isPresent() && !mayBeSealQuota(refusal)) {
                throw refusal;
            }
            pauseOrThrow(refusedAt, refusal);
            if (!seal.isPresent()) {
                // A change that is refused opens the directory again, maybe between the refusal and this check.
                return version;
            }
        }
    }

    /**
     * Whether the exceeded quota may be that of a seal, which allows one name: that of the directory itself. A NameNode
     * says the quota in the text only.
     */
    private static boolean mayBeSealQuota(NSQuotaExceededException refusal) {
        return String.valueOf(refusal.getMessage()).contains("quota=1 ");
    }

    private long refusalNanos(TableVersion version) {
        return refusedSince.computeIfAbsent(version, first -> nanoTime.getAsLong());
    }

    /** The remaining wait, for the next check: with the full wait for each, a call would wait twice as long as allowed. */
    private long remainingNanos(long refusedAt) {
        return Math.max(0, longestNanos - (nanoTime.getAsLong() - refusedAt));
    }

    private boolean isTimeoutOver(long refusedAt) {
        return nanoTime.getAsLong() - refusedAt > longestNanos;
    }

    private void pauseOrThrow(long refusedAt, IOException refusal) throws IOException {
        if (isTimeoutOver(refusedAt)) {
            throw refusal;
        }
        pause(RetryDelays.nanosAfter(nanoTime.getAsLong() - refusedAt));
    }

    private static void pause(long nanos) throws InterruptedIOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            throw toInterruptedIoException(e);
        }
    }

    /** The exception of a call that was interrupted while it waited. */
    static InterruptedIOException toInterruptedIoException(InterruptedException cause) {
        InterruptedIOException e = new InterruptedIOException("interrupted while it looked for a newer table");
        e.initCause(cause);
        return e;
    }
}

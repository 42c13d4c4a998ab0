/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.journal.hdfs.SspJournalManager;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.ExecutedCall;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.JournalManager;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetryCache;
import org.apache.hadoop.util.LightWeightGSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts operation ids back into the retry cache that an image does not contain.
 *
 * <p>HDFS learns the ids of executed calls from the edits that it replays; an image has none. Suppose a call was
 * executed before the image that a NameNode started from. If the client repeats it after a failover to that NameNode,
 * it would be executed twice or fail wrongly. So this class reads the edits before the image, which the pool still has,
 * for their ids.
 *
 * <p>It reads as far back as the cache itself would have kept them, by the times in the edits; for no more calls than
 * half the cache holds, because the other half is for later calls, and no more than ten million edits. It reads the
 * newest part first, so that it is in the cache before the NameNode becomes active; the rest follows in the background,
 * part by part. An edit from which no answer can be built is skipped: its call is then executed again, as HDFS does by
 * itself. Paper, section 4.4, step 3.
 *
 * <p>Uses {@code NameNode.getNamesystem}, {@code getFSImage}, {@code getConf}; {@code FSNamesystem.getRetryCache},
 * {@code getSharedEditsDirs}, {@code readLock}, {@code readUnlock}; {@code FSImage.getMostRecentCheckpointTxId}; {@code
 * EditLogInputStream.readOp}; {@code LightWeightGSet.computeCapacity}.
 */
final class RetryWindow {
    private static final Logger LOG = LoggerFactory.getLogger(RetryWindow.class);
    private static final String HEAP_PERCENT = "dfs.namenode.retrycache.heap.percent";
    private static final float HEAP_PERCENT_DEFAULT = 0.03f;
    private static final String EXPIRY_MILLIS = "dfs.namenode.retrycache.expirytime.millis";
    private static final long EXPIRY_MILLIS_DEFAULT = 600_000;

    /** Edits per part: read in about a second, which a takeover may have to wait for. */
    private static final int PART = 100_000;

    /** The limit of transactions to read: more than any NameNode logs while the cache keeps a call, and still read within minutes. */
    private static final long MAX_TRANSACTIONS = 10_000_000;

    private static final long PAUSE_SECONDS = 1;
    private static final long MAX_PAUSE_SECONDS = 60;
    /** The number of skipped edits that are logged one by one. */
    private static final long TOLD = 10;

    /** Opens the journal for reading, independently of HDFS's own use of it. */
    interface JournalOpener {
        JournalManager open() throws IOException;
    }

    private final NameNode nameNode;
    private final JournalOpener opener;
    private final long maxTransactions;
    private final int partSize;
    private final Duration retention;
    private final long imageTxId;
    private final Thread thread = new Thread(this::restoreUntilDone, "retry-window");
    /**
     * The lock of all fields that are not volatile. Fair, so that a takeover that waits for the newest part need not
     * wait for the next one as well.
     */
    private final ReentrantLock reading = new ReentrantLock(true);

    private volatile boolean newestRestored;
    private volatile boolean restoringNewest;
    private boolean allRestored;
    /** The transaction before which everything is still to be read. */
    private long beforeTxId;

    private long newestMillis;
    private int calls;
    private long leftOut;
    private Optional<ExecutedCall> following = Optional.empty();

    /** Must be called when the image is loaded and no checkpoint has been made since. */
    RetryWindow(NameNode nameNode) {
        this(
                nameNode,
                MAX_TRANSACTIONS,
                PART,
                Duration.ofMillis(nameNode.getConf().getLong(EXPIRY_MILLIS, EXPIRY_MILLIS_DEFAULT)),
                () -> {
                    Configuration conf = nameNode.getConf();
                    return new SspJournalManager(
                            conf,
                            FSNamesystem.getSharedEditsDirs(conf).get(0),
                            nameNode.getFSImage().getStorage().getNamespaceInfo());
                });
    }

    /**
     * @param partSize how many edits are read at once
     * @param retention how long the cache keeps a call
     */
    RetryWindow(NameNode nameNode, long maxTransactions, int partSize, Duration retention, JournalOpener opener) {
        this.nameNode = nameNode;
        this.opener = opener;
        this.maxTransactions = maxTransactions;
        this.partSize = partSize;
        this.retention = retention;
        this.imageTxId = nameNode.getFSImage().getMostRecentCheckpointTxId();
        this.beforeTxId = imageTxId + 1;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    private void restoreUntilDone() {
        long pauseSeconds = PAUSE_SECONDS;
        while (true) {
            try {
                restoreAll();
                return;
            } catch (IOException | RuntimeException | Error notYet) {
                LOG.debug("The retry window cannot be read yet", notYet);
            }
            try {
                TimeUnit.SECONDS.sleep(pauseSeconds);
            } catch (InterruptedException stopped) {
                return;
            }
            pauseSeconds = Math.min(2 * pauseSeconds, MAX_PAUSE_SECONDS);
        }
    }

    /**
     * Blocks until the newest ids are in the cache. Of older ones, waits only for those being read.
     *
     * @throws IOException if the edits cannot be read now; the cache is as it was
     */
    void restoreNewest() throws IOException {
        if (newestRestored) {
            return;
        }
        reading.lock();
        try {
            // The thread may have read them meanwhile; older ones are not worth a wait.
            if (!newestRestored) {
                readPart();
            }
        } finally {
            reading.unlock();
        }
    }

    /** Whether the newest ids are being read, which a takeover waits for. Any thread. */
    boolean isRestoringNewest() {
        return restoringNewest;
    }

    /**
     * Blocks until all ids are in the cache.
     *
     * @throws IOException if the edits cannot be read now; what was read before is in the cache
     */
    void restoreAll() throws IOException {
        long began = System.nanoTime();
        boolean more = true;
        while (more) {
            more = restorePart();
        }
        LOG.info(
                "Restored the retry cache: calls={} fromTxId={} toTxId={} elapsedMillis={} " + "skippedEdits={}",
                calls,
                beforeTxId,
                imageTxId,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began),
                leftOut);
    }

    /** Reads one more part; returns whether there are more. */
    private boolean restorePart() throws IOException {
        reading.lock();
        try {
            return readPart();
        } finally {
            reading.unlock();
        }
    }

    /** Restores the next older part; returns whether there may be another one. */
    private boolean readPart() throws IOException {
        RetryCache cache = nameNode.getNamesystem().getRetryCache();
        if (allRestored || cache == null || imageTxId <= 0 || maxTransactions == 0) {
            return false;
        }
        long lowest = Math.max(1, imageTxId - maxTransactions + 1);
        int capacity = LightWeightGSet.computeCapacity(
                                nameNode.getConf().getFloat(HEAP_PERCENT, HEAP_PERCENT_DEFAULT), "retry window")
                        / 2
                - calls;
        restoringNewest = !newestRestored;
        Part part;
        try {
            part = read(Math.max(lowest, beforeTxId - partSize), beforeTxId - 1, capacity);
        } finally {
            restoringNewest = false;
        }
        part.calls.forEach(call -> call.putInto(cache));
        newestMillis = newestMillis == 0 ? part.newestMillis : newestMillis;
        boolean tooOld = part.newestMillis > 0 && part.newestMillis < newestMillis - retention.toMillis();
        calls += part.calls.size();
        leftOut += part.leftOut;
        following = part.calls.isEmpty() ? Optional.empty() : Optional.of(part.calls.getFirst());
        beforeTxId = part.firstTxId;
        newestRestored = true;
        allRestored = tooOld || part.isEmpty() || beforeTxId <= lowest || part.calls.size() >= capacity;
        return !allRestored;
    }

    /** The operation ids of one part. */
    private static final class Part {
        final Deque<ExecutedCall> calls = new ArrayDeque<>();
        final long endTxId;
        long firstTxId;
        long newestMillis;
        long leftOut;

        Part(long endTxId) {
            this.endTxId = endTxId;
            this.firstTxId = endTxId;
        }

        /** Whether the part is empty: the journal does not reach back that far. */
        boolean isEmpty() {
            return firstTxId == endTxId;
        }
    }

    private Part read(long fromTxId, long toTxId, int capacity) throws IOException {
        JournalManager journal = opener.open();
        List<EditLogInputStream> streams = new ArrayList<>();
        Part part = new Part(toTxId + 1);
        try {
            journal.selectInputStreams(streams, fromTxId, true, false);
            for (EditLogInputStream stream : streams) {
                if (stream.getFirstTxId() <= toTxId) {
                    read(stream, fromTxId, capacity, part);
                }
            }
        } finally {
            for (EditLogInputStream stream : streams) {
                stream.close();
            }
            journal.close();
        }
        joinWithFollowing(part);
        return part;
    }

    private void read(EditLogInputStream stream, long fromTxId, int capacity, Part part) throws IOException {
        for (FSEditLogOp edit = stream.readOp();
                edit != null && edit.getTransactionId() < part.endTxId;
                edit = stream.readOp()) {
            if (edit.getTransactionId() >= fromTxId) {
                part.firstTxId = Math.min(part.firstTxId, edit.getTransactionId());
                part.newestMillis = Math.max(part.newestMillis, ExecutedCall.millisOf(edit));
                callOf(edit, part).ifPresent(call -> add(call, part.calls));
                if (part.calls.size() > capacity) {
                    part.calls.removeFirst();
                }
            }
        }
    }

    /** Joins a call whose edits span both parts: the last call of this part and the first of the part that was read before it. */
    private void joinWithFollowing(Part part) {
        if (following.isPresent() && !part.calls.isEmpty()) {
            following.get().mergeWith(part.calls.getLast()).ifPresent(joined -> {
                part.calls.removeLast();
                part.calls.addLast(joined);
            });
        }
    }

    private static void add(ExecutedCall call, Deque<ExecutedCall> calls) {
        Optional<ExecutedCall> merged = calls.isEmpty() ? Optional.empty() : call.mergeWith(calls.getLast());
        if (merged.isPresent()) {
            calls.removeLast();
        }
        calls.addLast(merged.orElse(call));
    }

    private Optional<ExecutedCall> callOf(FSEditLogOp edit, Part part) {
        if (!edit.hasRpcIds()) {
            return Optional.empty();
        }
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            return ExecutedCall.of(edit, namesystem);
        } catch (IOException | RuntimeException e) {
            part.leftOut++;
            if (leftOut + part.leftOut <= TOLD) {
                LOG.warn(
                        "A call will be executed again if it is retried: no response can be built from "
                                + "edit={}; no action needed",
                        edit,
                        e);
            }
            return Optional.empty();
        } finally {
            namesystem.readUnlock("retryWindow");
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.journal.hdfs.SspJournalManager;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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
 * Puts the operation ids that an image has swallowed back into the retry cache.
 *
 * <p>HDFS learns the ids of executed calls from the edits that it replays, and an image has none. A call that was executed
 * before the image that a NameNode started from, and is sent again after a failover to it, would be executed twice or fail
 * falsely. So the edits before the image, which the pool still has, are read once more for their ids.
 *
 * <p>Of as many calls as half the retry cache holds: the other half is for what comes after. One that is older than the cache
 * keeps calls does no harm. Done in the background after the start, at the latest before the NameNode becomes active. Paper,
 * section 4.4, step 3.
 *
 * <p>Uses {@code NameNode.getNamesystem}, {@code getFSImage}, {@code getConf}; {@code FSNamesystem.getRetryCache},
 * {@code getSharedEditsDirs}, {@code readLock}, {@code readUnlock}; {@code FSImage.getMostRecentCheckpointTxId};
 * {@code EditLogInputStream.readOp}; {@code LightWeightGSet.computeCapacity}.
 */
final class RetryWindow {
    private static final Logger LOG = LoggerFactory.getLogger(RetryWindow.class);
    private static final String HEAP_PERCENT = "dfs.namenode.retrycache.heap.percent";
    private static final float HEAP_PERCENT_DEFAULT = 0.03f;
    private static final long PAUSE_SECONDS = 1;

    /** Opens the journal for reading, beside HDFS's own use of it. */
    interface JournalOpener {
        JournalManager open() throws IOException;
    }

    private final NameNode nameNode;
    private final JournalOpener opener;
    private final long maxTransactions;
    private final long imageTxId;
    private final Thread thread = new Thread(this::restoreInTime, "retry-window");
    private boolean restored;

    /** Call it when the image is loaded and no checkpoint has been made since. */
    RetryWindow(NameNode nameNode, long maxTransactions) {
        this(nameNode, maxTransactions, () -> {
            Configuration conf = nameNode.getConf();
            return new SspJournalManager(
                    conf,
                    FSNamesystem.getSharedEditsDirs(conf).get(0),
                    nameNode.getFSImage().getStorage().getNamespaceInfo());
        });
    }

    RetryWindow(NameNode nameNode, long maxTransactions, JournalOpener opener) {
        this.nameNode = nameNode;
        this.opener = opener;
        this.maxTransactions = maxTransactions;
        this.imageTxId = nameNode.getFSImage().getMostRecentCheckpointTxId();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void stop() {
        thread.interrupt();
    }

    private void restoreInTime() {
        while (true) {
            try {
                restore();
                return;
            } catch (IOException poolIsNotThereYet) {
                LOG.debug("The retry window cannot be read yet", poolIsNotThereYet);
            }
            try {
                TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
            } catch (InterruptedException stopped) {
                return;
            }
        }
    }

    /**
     * Returns when the ids are in the cache.
     *
     * @throws IOException if the edits cannot be read now; the cache is as it was
     */
    synchronized void restore() throws IOException {
        FSNamesystem namesystem = nameNode.getNamesystem();
        RetryCache cache = namesystem.getRetryCache();
        if (restored || cache == null || imageTxId <= 0 || maxTransactions == 0) {
            return;
        }
        long began = System.nanoTime();
        int most = LightWeightGSet.computeCapacity(
                        nameNode.getConf().getFloat(HEAP_PERCENT, HEAP_PERCENT_DEFAULT), "retry window")
                / 2;
        Deque<ExecutedCall> calls = read(Math.max(1, imageTxId - maxTransactions + 1), most);
        for (ExecutedCall call : calls) {
            call.putInto(cache);
        }
        restored = true;
        LOG.info(
                "{} operation ids from edits up to txid={} are in the retry cache again, after {} ms",
                calls.size(),
                imageTxId,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }

    private Deque<ExecutedCall> read(long fromTxId, int most) throws IOException {
        JournalManager journal = opener.open();
        List<EditLogInputStream> streams = new ArrayList<>();
        Deque<ExecutedCall> calls = new ArrayDeque<>();
        try {
            journal.selectInputStreams(streams, fromTxId, true, false);
            for (EditLogInputStream stream : streams) {
                if (stream.getFirstTxId() <= imageTxId) {
                    read(stream, most, calls);
                }
            }
        } finally {
            for (EditLogInputStream stream : streams) {
                stream.close();
            }
            journal.close();
        }
        return calls;
    }

    private void read(EditLogInputStream stream, int most, Deque<ExecutedCall> calls) throws IOException {
        for (FSEditLogOp edit = stream.readOp();
                edit != null && edit.getTransactionId() <= imageTxId;
                edit = stream.readOp()) {
            Optional<ExecutedCall> call = callOf(edit);
            if (call.isPresent()) {
                add(call.get(), calls);
                if (calls.size() > most) {
                    calls.removeFirst();
                }
            }
        }
    }

    private static void add(ExecutedCall call, Deque<ExecutedCall> calls) {
        Optional<ExecutedCall> merged = calls.isEmpty() ? Optional.empty() : call.mergedInto(calls.getLast());
        if (merged.isPresent()) {
            calls.removeLast();
        }
        calls.addLast(merged.orElse(call));
    }

    private Optional<ExecutedCall> callOf(FSEditLogOp edit) throws IOException {
        if (!edit.hasRpcIds()) {
            return Optional.empty();
        }
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            return ExecutedCall.of(edit, namesystem);
        } finally {
            namesystem.readUnlock("retryWindow");
        }
    }
}

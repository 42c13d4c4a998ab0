/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.LedgerChange;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileSystem;

/** One client thread: requests a change, waits for the answer, records it, and requests the next when that is due. */
final class LoadThread extends Thread {
    private final String directory;
    private final FileSystem fileSystem;
    private final ChangeLedger ledger;
    private final ChangeSource changes;
    private final LongSupplier turns;
    private volatile boolean stopping;
    private final AtomicLong acknowledged = new AtomicLong();

    LoadThread(String directory, FileSystem fileSystem, ChangeLedger ledger, ChangeSource changes, LongSupplier turns) {
        super("load-" + directory);
        setDaemon(true);
        this.directory = directory;
        this.fileSystem = fileSystem;
        this.ledger = ledger;
        this.changes = changes;
        this.turns = turns;
    }

    /** Stops the thread once it has the answer that it is waiting for. */
    void requestStop() {
        stopping = true;
    }

    /** Returns how many of its changes have been acknowledged so far. */
    long acknowledgedCount() {
        return acknowledged.get();
    }

    @Override
    public void run() {
        perform(new LedgerChange.MakeDirectory(directory), System.nanoTime());
        while (!stopping) {
            long due = turns.getAsLong();
            LedgerChange change = changes.next();
            changes.answered(change, perform(change, due));
        }
    }

    private ChangeAnswer perform(LedgerChange change, long due) {
        ChangeAnswer answer;
        String failure = "";
        try {
            answer = change.perform(fileSystem) ? ChangeAnswer.ACKNOWLEDGED : ChangeAnswer.CONTRADICTED;
        } catch (IOException | RuntimeException e) {
            answer = ChangeAnswer.UNKNOWN;
            failure = e.toString();
        }
        long answered = System.nanoTime();
        ledger.add(new ChangeLedger.Recorded(change, answer, answered, Duration.ofNanos(answered - due), failure));
        if (answer == ChangeAnswer.ACKNOWLEDGED) {
            acknowledged.incrementAndGet();
        }
        return answer;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.Change;
import io.trefoil.it.load.ledger.ChangeAnswer;
import io.trefoil.it.load.ledger.ChangeLedger;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.FileSystem;

/** One client thread: asks for a change, waits for the answer, records it, and asks for the next when that is due. */
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

    /** The thread ends once it has the answer that it is waiting for. */
    void stopSoon() {
        stopping = true;
    }

    /** How many of its changes were acknowledged so far. */
    long acknowledgedCount() {
        return acknowledged.get();
    }

    @Override
    public void run() {
        ask(new Change.MakeDirectory(directory), System.nanoTime());
        while (!stopping) {
            long due = turns.getAsLong();
            Change change = changes.next();
            changes.answered(change, ask(change, due));
        }
    }

    private ChangeAnswer ask(Change change, long due) {
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

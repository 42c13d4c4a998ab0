/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;

/** One client thread: asks for a change, waits for the answer, notes it, asks for the next. */
final class LoadThread extends Thread {
    private final String directory;
    private final FileSystem fileSystem;
    private final Ledger ledger;
    private final ChangeSource changes;
    private volatile boolean stopping;

    LoadThread(String directory, FileSystem fileSystem, Ledger ledger, ChangeSource changes) {
        super("load-" + directory);
        setDaemon(true);
        this.directory = directory;
        this.fileSystem = fileSystem;
        this.ledger = ledger;
        this.changes = changes;
    }

    /** The thread ends when it has the answer that it is waiting for. */
    void stopSoon() {
        stopping = true;
    }

    @Override
    public void run() {
        ask(new Change.MakeDirectory(directory));
        while (!stopping) {
            Change change = changes.next();
            changes.answered(change, ask(change));
        }
    }

    private Answer ask(Change change) {
        long asked = System.nanoTime();
        Answer answer;
        String failure = "";
        try {
            answer = change.perform(fileSystem) ? Answer.ACKNOWLEDGED : Answer.CONTRADICTED;
        } catch (IOException | RuntimeException e) {
            answer = Answer.UNKNOWN;
            failure = e.toString();
        }
        long answered = System.nanoTime();
        ledger.add(new Ledger.Entry(change, answer, answered, Duration.ofNanos(answered - asked), failure));
        return answer;
    }
}

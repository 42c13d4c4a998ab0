/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.load;

import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.process.Await;
import java.time.Duration;
import java.util.List;

/** A running load. {@link #close} ends it without waiting; {@link #stop} waits. */
public final class RunningLoad implements AutoCloseable {
    private final String root;
    private final ChangeLedger ledger;
    private final List<LoadThread> threads;

    RunningLoad(String root, ChangeLedger ledger, List<LoadThread> threads) {
        this.root = root;
        this.ledger = ledger;
        this.threads = List.copyOf(threads);
    }

    /** The directory below which everything happens. */
    public String root() {
        return root;
    }

    /** Returns what has happened so far; the load keeps adding to it. */
    public ChangeLedger ledger() {
        return ledger;
    }

    /** Waits until this many more changes are acknowledged, from now on. */
    public void awaitMore(long count, Duration limit) {
        long goal = ledger.acknowledgedCount() + count;
        Await.until(
                count + " more changes are acknowledged",
                limit,
                () -> ledger.acknowledgedCount() >= goal,
                this::describe);
    }

    /**
     * Waits until each client has received an acknowledgement of a change requested from now on, so that none is stuck.
     */
    public void awaitEachClient(Duration limit) {
        for (LoadThread thread : threads) {
            // The next one may belong to a change that was asked for before.
            long goal = thread.acknowledgedCount() + 2;
            Await.until(thread.getName() + " goes on", limit, () -> thread.acknowledgedCount() >= goal, this::describe);
        }
    }

    /**
     * Sends no further requests and waits for the outstanding answers.
     *
     * @throws AssertionError if a client has no answer when the limit is over
     */
    public ChangeLedger stop(Duration limit) {
        threads.forEach(LoadThread::requestStop);
        Await.until("all clients have their last answer", limit, () -> waitingCount() == 0, this::describe);
        return ledger;
    }

    @Override
    public void close() {
        threads.forEach(LoadThread::requestStop);
        threads.forEach(Thread::interrupt);
    }

    private long waitingCount() {
        return threads.stream().filter(Thread::isAlive).count();
    }

    private String describe() {
        List<ChangeLedger.Recorded> failures = ledger.failures();
        return ledger + ", " + waitingCount() + " clients waiting; last failures: "
                + failures.subList(Math.max(0, failures.size() - 5), failures.size());
    }
}

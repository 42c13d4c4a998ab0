/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import io.trefoil.journal.bookkeeper.ledger.LedgerStore;
import io.trefoil.journal.bookkeeper.ledger.ReadableLedger;
import io.trefoil.journal.bookkeeper.ledger.WritableLedger;
import io.trefoil.journal.bookkeeper.record.LedgerSpan;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.pool.StoreStatus;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** Ledgers in memory, which keep the contract of {@link LedgerStore} and have switches for trouble. All processes share them. */
final class MemoryLedgers implements LedgerStore {
    private final Map<Long, Ledger> all = new TreeMap<>();
    private long newest;
    private boolean losesFencing;
    private boolean takesNothing;
    private boolean holdsCloses;
    private int failingAdds;
    private int takingAdds = -1;

    /** A ledger and what may happen to it. */
    private static final class Ledger {
        private final Incarnation owner;
        private final List<byte[]> entries = new ArrayList<>();
        private boolean fenced;
        private boolean closed;
        /** How many entries readers see once it is closed, whatever is added nevertheless. */
        private int closedAt;

        Ledger(Incarnation owner) {
            this.owner = owner;
        }

        void close() {
            if (!closed) {
                closed = true;
                closedAt = entries.size();
            }
        }
    }

    /** From now on recovery does not fence: the fault that bookies before 4.17.4 may have. */
    synchronized void loseFencing() {
        losesFencing = true;
    }

    /** Adds fail and no ledger can be created, as without an ack quorum. */
    synchronized void takeNothing() {
        takesNothing = true;
    }

    /** The next adds fail, and so does what follows them in their ledgers. */
    synchronized void failAdds(int count) {
        failingAdds = count;
    }

    synchronized void takeAgain() {
        takesNothing = false;
    }

    /** After so many adds, adds fail and no ledger can be created. */
    synchronized void takeOnly(int adds) {
        takingAdds = adds;
    }

    /** All bookies lose what a ledger has behind its first entries; returns what gives it back. */
    synchronized Runnable loseAllBut(int first, long ledger) {
        Ledger damaged = all.get(ledger);
        List<byte[]> lost = new ArrayList<>(damaged.entries.subList(first, damaged.entries.size()));
        damaged.entries.subList(first, damaged.entries.size()).clear();
        damaged.closedAt = first;
        return () -> {
            synchronized (this) {
                damaged.entries.addAll(lost);
                damaged.closedAt = damaged.entries.size();
            }
        };
    }

    /** Writers that close a ledger wait until {@link #letClose}. */
    synchronized void holdCloses() {
        holdsCloses = true;
    }

    synchronized void letClose() {
        holdsCloses = false;
        notifyAll();
    }

    /** What the replicators of bookies do to a ledger that they think no process writes. */
    synchronized void closeAsReplicatorsDo(long ledger) {
        all.get(ledger).fenced = true;
        all.get(ledger).close();
        notifyAll();
    }

    synchronized boolean isTakingNothing() {
        return takesNothing;
    }

    synchronized boolean isEmpty(long ledger) {
        return all.get(ledger).entries.isEmpty();
    }

    synchronized List<Long> ids() {
        return new ArrayList<>(all.keySet());
    }

    @Override
    public synchronized WritableLedger create(Incarnation owner) throws IOException {
        if (takesNothing) {
            throw new IOException("Not enough bookies");
        }
        long id = ++newest;
        all.put(id, new Ledger(owner));
        return new WritableLedger() {
            @Override
            public long id() {
                return id;
            }

            @Override
            public CompletableFuture<Void> add(byte[] entry) {
                return MemoryLedgers.this.add(id, entry);
            }

            @Override
            public void close() throws IOException {
                awaitCloses();
                MemoryLedgers.this.closeByWriter(id);
            }
        };
    }

    @Override
    public synchronized List<Long> find(Incarnation owner, long above, long below) {
        return all.entrySet().stream()
                .filter(ledger -> ledger.getKey() > above && ledger.getKey() < below)
                .filter(ledger -> ledger.getValue().owner.equals(owner))
                .map(Map.Entry::getKey)
                .toList();
    }

    private synchronized CompletableFuture<Void> add(long id, byte[] entry) {
        Ledger ledger = all.get(id);
        CompletableFuture<Void> added = new CompletableFuture<>();
        if (failingAdds > 0 && ledger != null && !ledger.fenced) {
            failingAdds--;
            ledger.fenced = true;
        }
        if (takingAdds == 0) {
            takesNothing = true;
        }
        takingAdds--;
        if (ledger == null || takesNothing || ledger.fenced || (ledger.closed && !losesFencing)) {
            added.completeExceptionally(new IOException("Ledger " + id + " takes nothing"));
            return added;
        }
        ledger.entries.add(entry);
        notifyAll();
        added.complete(null);
        return added;
    }

    /** As BookKeeper does, if the ledger was closed with another last entry. */
    private synchronized void closeByWriter(long id) throws IOException {
        if (ledger(id).fenced) {
            throw new IOException("Ledger " + id + " was closed by another process");
        }
        close(id);
    }

    private synchronized void awaitCloses() throws IOException {
        try {
            while (holdsCloses) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while a close is held");
        }
    }

    private synchronized void close(long id) throws IOException {
        ledger(id).close();
        notifyAll();
    }

    private Ledger ledger(long id) throws IOException {
        Ledger ledger = all.get(id);
        if (ledger == null) {
            throw new IOException("No ledger " + id);
        }
        return ledger;
    }

    @Override
    public List<String> availableBookies() {
        return List.of("memory");
    }

    @Override
    public StoreStatus.Ledger describe(LedgerSpan ledger) {
        return StoreStatus.Ledger.of(ledger.ledger(), ledger.firstSn(), availableBookies(), 1);
    }

    @Override
    public synchronized ReadableLedger recover(long id) throws IOException {
        ledger(id).fenced = !losesFencing;
        close(id);
        return open(id);
    }

    @Override
    public synchronized ReadableLedger open(long id) throws IOException {
        return new Reading(id, ledger(id));
    }

    @Override
    public synchronized void delete(long id) {
        all.remove(id);
    }

    @Override
    public void close() {
        // All threads share the memory.
    }

    /** What one process sees of a ledger. */
    private final class Reading implements ReadableLedger {
        private final long id;
        private final Ledger ledger;

        Reading(long id, Ledger ledger) {
            this.id = id;
            this.ledger = ledger;
        }

        @Override
        public long id() {
            return id;
        }

        @Override
        public boolean isClosed() {
            synchronized (MemoryLedgers.this) {
                return ledger.closed;
            }
        }

        @Override
        public long lastConfirmed() {
            synchronized (MemoryLedgers.this) {
                return (ledger.closed ? ledger.closedAt : ledger.entries.size()) - 1L;
            }
        }

        @Override
        public long readLastConfirmed() {
            return lastConfirmed();
        }

        @Override
        public long readLastWritten() {
            return lastConfirmed();
        }

        @Override
        public void awaitConfirmed(long known, Duration limit) throws InterruptedException {
            long deadline = System.nanoTime() + limit.toNanos();
            synchronized (MemoryLedgers.this) {
                while (lastConfirmed() <= known && !ledger.closed) {
                    long left = (deadline - System.nanoTime()) / 1_000_000L;
                    if (left <= 0) {
                        return;
                    }
                    MemoryLedgers.this.wait(left);
                }
            }
        }

        @Override
        public List<byte[]> read(long first, long last) throws IOException {
            synchronized (MemoryLedgers.this) {
                ledger(id);
                return new ArrayList<>(ledger.entries.subList((int) first, (int) last + 1));
            }
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}

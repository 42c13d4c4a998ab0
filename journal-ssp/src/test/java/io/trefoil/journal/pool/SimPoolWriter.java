/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.delivery.PartReader;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Transport;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.WriterTrace;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The writer that runs in production, on a machine of the simulator's. */
public final class SimPoolWriter {

    /** As {@link WriterMachine}. */
    public interface Machine {
        Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos);

        long nanoTime();

        long wallMillis();

        void parkNanos(long nanos);

        void unpark(Thread thread);

        WriterTrace trace();
    }

    /** As {@link PartReader.Source}. */
    public interface Source {
        List<Entry> read(NodeAddress from, FetchRequest request) throws IOException;
    }

    private final PoolWriter writer;

    private SimPoolWriter(PoolWriter writer) {
        this.writer = writer;
    }

    /** Opens its sessions; {@link #begin} comes next. */
    public static SimPoolWriter openSessions(
            Machine machine,
            Transport transport,
            Hello hello,
            Optional<JournalReplica> local,
            Source source,
            Executor worker,
            WriterSettings settings) {
        return new SimPoolWriter(PoolWriter.connect(
                new MachineAdapter(machine), transport, hello, local, source::read, worker, settings));
    }

    /** Returns when it is ready. */
    public void begin() throws IOException {
        writer.begin();
    }

    public LogSummary end() {
        return writer.end();
    }

    public long append(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return writer.append(kind, txIds, payload);
    }

    public long appendAhead(EntryKind kind, TxRange txIds, Bytes payload) throws IOException {
        return writer.appendAhead(kind, txIds, payload);
    }

    public boolean settle(Duration timeout) {
        return writer.awaitAllCommitted(timeout);
    }

    public boolean grantReads(NodeId node) {
        return writer.grantReads(node);
    }

    public void lengthenLease(Duration wanted) {
        writer.lengthenLease(wanted);
    }

    public boolean isOver() {
        return writer.hasEnded();
    }

    public void addBarrier(Barrier barrier) throws IOException {
        writer.addBarrier(barrier);
    }

    public void releaseBarrier(String barrier) throws IOException {
        writer.releaseBarrier(barrier);
    }

    public void purge(long minTxId) {
        writer.purge(minTxId);
    }

    public void close() {
        writer.close();
    }

    private record MachineAdapter(Machine machine) implements WriterMachine {
        @Override
        public Step<WriterState, WriterEffect> step(WriterState state, WriterEvent event, long nowNanos) {
            return machine.step(state, event, nowNanos);
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        public long wallMillis() {
            return machine.wallMillis();
        }

        @Override
        public void parkNanos(Object blocker, long nanos) {
            machine.parkNanos(nanos);
        }

        @Override
        public void unpark(Thread thread) {
            machine.unpark(thread);
        }

        @Override
        public WriterTrace trace() {
            return machine.trace();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.LogThread;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.ObservedTerm;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node believes of a writer whose session broke, until the probe is answered and after. */
class WriterDeathProbeTest {
    private static final WriterId WRITER = WriterId.of("writer");
    private static final Epoch EPOCH = Epoch.of(1);
    private static final NodeId NODE = NodeId.of("node-1");

    private long nowNanos;
    private final JournalReplica replica = new JournalReplica(
            "replica", new SimDisk(new Random(1)).device(), () -> nowNanos, () -> NODE, writer -> false);
    private final ManualTransport transport = new ManualTransport();

    @BeforeEach
    void beginTerm() {
        replica.open();
        replica.perform(
                FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, new ArrayList<Entry>(), false));
        replica.perform(NewEpochRequest.of(EPOCH, WRITER, 1000));
        append();
    }

    /** Clients come at once, and would be told to look elsewhere, and sleep. */
    @Test
    void suspectsWriterBeforeProbeIsAnswered() {
        probe();

        assertThat(transport.probes).hasSize(1);
        assertThat(observedTerm().writerSuspected()).isTrue();
        assertThat(observedTerm().leaseRemaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void refusedProbeShortensLease() {
        probe();
        transport.probes.remove(0).onOutcome(Transport.Probe.REFUSED);

        assertThat(observedTerm().leaseRemaining()).isPositive().isLessThan(Duration.ofSeconds(1));
        assertThat(observedTerm().writerSuspected()).isTrue();
    }

    @Test
    void ignoresProbeWhenWriterResumes() {
        probe();
        nowNanos++;
        append();
        transport.probes.remove(0).onOutcome(Transport.Probe.REFUSED);

        assertThat(observedTerm().leaseRemaining()).isEqualTo(Duration.ofSeconds(1));
        assertThat(observedTerm().writerSuspected()).isFalse();
    }

    private void probe() {
        new WriterDeathProbe(replica, WRITER, NodeAddress.of("host", 8485), transport, new LogThread("ssp-log-test"))
                .check();
    }

    private ObservedTerm observedTerm() {
        return replica.promisedWriter().observedTerm().orElseThrow();
    }

    private void append() {
        Entry entry = Entry.of(LogPosition.of(EPOCH, 1), EntryKind.EPOCH_START, TxRange.NONE, Bytes.EMPTY);
        replica.perform(
                AppendRequest.of(EPOCH, WRITER, 1000, LogPosition.ORIGIN, List.of(entry), LogPosition.ORIGIN, 1));
    }

    /** Keeps the probes until a test answers them. */
    private static final class ManualTransport implements Transport {
        private final List<ProbeListener> probes = new ArrayList<>();

        @Override
        public Link connect(NodeAddress node, Hello hello, LinkListener listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void probe(NodeAddress address, Duration timeout, ProbeListener listener) {
            probes.add(listener);
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void schedule(Runnable task, Duration delay) {
            assertThat(delay).isPositive();
        }

        @Override
        public boolean isTransportThread() {
            return true;
        }

        @Override
        public void close() {}
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.ReplicaStatus;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of a node that is closed keeps no other process from its files. */
class ClosedPoolNodeTest {
    private static final JournalId JOURNAL = JournalId.of("ns1");

    @TempDir
    Path directory;

    private final int port = TestPorts.free();

    private NodeSettings.Builder settings() {
        return NodeSettings.builder()
                .address(NodeAddress.of("127.0.0.1", port))
                .bindHost("127.0.0.1")
                .directory(directory)
                .journalsToJoin(Map.of());
    }

    private PoolNode start() throws IOException {
        return PoolNode.start(settings().build());
    }

    @Test
    void closedNodeReturnsItsClosedReplica() throws IOException {
        PoolNode node = start();
        JournalReplica replica = node.replica(JOURNAL);
        replica.perform(FormatRequest.of(
                NamespaceId.of("CID-1", 42), replica.node(), LogSummary.ORIGIN, new ArrayList<Entry>(), false));
        node.close();

        assertThat(node.replica(JOURNAL)).isSameAs(replica);
        assertThat(replica.perform(StatusRequest.create())).get().isInstanceOf(FailedReply.class);
        assertThat(replica.promisedWriter().observedTerm()).isEmpty();
        try (PoolNode next = start()) {
            assertThat(next.replica(JOURNAL).failureReason())
                    .as("nobody else has the directory")
                    .isEmpty();
        }
    }

    @Test
    void closedNodeOpensNoNewJournal() throws IOException {
        PoolNode node = start();
        node.close();

        assertThatThrownBy(() -> node.replica(JOURNAL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void failedCallerAuthenticationSetupLeavesNothingRunning() throws IOException {
        Authentication broken = new MissingLibraryAuthentication();

        assertThatThrownBy(
                        () -> PoolNode.start(settings().authentication(broken).build()))
                .isInstanceOf(NoClassDefFoundError.class);

        assertNothingRuns();
    }

    @Test
    void failedStartNotificationLeavesNothingRunning() throws IOException {
        assertThatThrownBy(() -> PoolNode.start(settings().build(), new FailingListener()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("planted");

        assertNothingRuns();
    }

    private void assertNothingRuns() throws IOException {
        awaitNoThreads();
        start().close();
        // Closing does not wait for a disk, on which the addresses of hosts are written down meanwhile.
        awaitNoThreads();
    }

    private void awaitNoThreads() {
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(name -> name.contains(String.valueOf(port))));
    }

    @Test
    void repeatedCloseIsHarmless() throws IOException {
        PoolNode node = start();
        node.replica(JOURNAL);
        node.close();

        node.close();

        assertThat(node.replica(JOURNAL).failureReason()).contains("closed");
    }

    /** Proves nothing: the library for it is missing. */
    private static final class MissingLibraryAuthentication implements Authentication {
        @Override
        public String mechanism() {
            return NONE.mechanism();
        }

        @Override
        public AuthenticationExchange beginAsCaller(InetAddress node) throws IOException {
            return NONE.beginAsCaller(node);
        }

        @Override
        public AuthenticationExchange beginAsNode(InetAddress caller) throws IOException {
            return NONE.beginAsNode(caller);
        }

        @Override
        public AccessController wrapAccessController(AccessController byAddress) {
            throw new NoClassDefFoundError("planted");
        }
    }

    /** Cannot be told of a node. */
    private static final class FailingListener implements PoolObserver {
        @Override
        public void nodeStarted(PoolNode node) {
            throw new IllegalStateException("planted");
        }

        @Override
        public JournalObserver replicaOpened(NodeAddress node, JournalId journal, Supplier<ReplicaStatus> status) {
            return JournalObserver.NONE;
        }

        @Override
        public JournalObserver writerOpened(JournalId journal, Supplier<WriterStatus> status) {
            return JournalObserver.NONE;
        }
    }
}

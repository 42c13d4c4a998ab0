/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.TestPorts;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.StatusRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of a node that is closed keeps nobody else from its files. */
class ClosedPoolNodeTest {
    private static final JournalId JOURNAL = JournalId.of("ns1");

    @TempDir
    Path directory;

    private PoolNode start() throws IOException {
        return PoolNode.start(NodeSettings.builder()
                .address(NodeAddress.of("127.0.0.1", TestPorts.free()))
                .bindHost("127.0.0.1")
                .directory(directory)
                .joins(Map.of())
                .build());
    }

    @Test
    void whoAsksAClosedNodeForAReplicaIsGivenTheClosedOne() throws IOException {
        PoolNode node = start();
        JournalReplica replica = node.replica(JOURNAL);
        replica.perform(FormatRequest.of(
                NamespaceId.of("CID-1", 42), replica.node(), LogSummary.ORIGIN, new ArrayList<Entry>(), false));
        node.close();

        assertThat(node.replica(JOURNAL)).isSameAs(replica);
        assertThat(replica.perform(StatusRequest.create())).get().isInstanceOf(FailedReply.class);
        assertThat(replica.writer().heardTerm()).isEmpty();
        try (PoolNode next = start()) {
            assertThat(next.replica(JOURNAL).failure())
                    .as("nobody else has the directory")
                    .isEmpty();
        }
    }

    @Test
    void aClosedNodeOpensNoJournalThatItDidNotHave() throws IOException {
        PoolNode node = start();
        node.close();

        assertThatThrownBy(() -> node.replica(JOURNAL))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void aNodeIsClosedOnceHoweverOftenItIsAsked() throws IOException {
        PoolNode node = start();
        node.replica(JOURNAL);
        node.close();

        node.close();

        assertThat(node.replica(JOURNAL).failure()).contains("closed");
    }
}

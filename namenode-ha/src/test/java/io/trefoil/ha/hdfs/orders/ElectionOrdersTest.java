/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.GoldenFiles;
import io.trefoil.foundation.hdfs.OrderMetrics;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Orders as they arrive: whose are taken, what is understood, and what is recorded. */
class ElectionOrdersTest {
    private final List<ElectionOrder> taken = new ArrayList<>();
    private final AuditLog audit = OrderMetrics.audit("Elections");
    private boolean zooKeeperIsAway;
    private final ElectionOrders orders =
            new ElectionOrders("ns1", () -> Set.of("nn1", "nn2"), this::carryOut, new Configuration(false));

    private CompletableFuture<ElectionOrder.Outcome> carryOut(ElectionOrder order, Collection<String> configured) {
        taken.add(order);
        CompletableFuture<ElectionOrder.Outcome> answer = new CompletableFuture<>();
        if (zooKeeperIsAway) {
            answer.completeExceptionally(new IOException("ZooKeeper is out of reach"));
        } else {
            View empty = View.of(ZkSession.of(1), Ballot.NONE, Optional.empty(), List.of());
            answer.complete(order.carryOut(empty, configured));
        }
        return answer;
    }

    private RefreshResponse order(String... arguments) {
        return orders.handleRefresh("trefoil-elections-ns1", arguments);
    }

    @Test
    void executesAndAuditsOrdersInNameOfCaller() throws Exception {
        long done = audit.countDone();

        assertThat(order("prefer", "nn2", "").getMessage())
                .isEqualTo("nn2 is preferred in elections until that is cleared");
        assertThat(order("prefer", "nn2", "60").getReturnCode()).isZero();
        assertThat(order("undrain", "nn1").getReturnCode()).isZero();
        assertThat(order("prefer-nobody").getReturnCode()).isZero();

        assertThat(audit.countDone()).isEqualTo(done + 4);
        assertThat(taken.get(0).issuedBy())
                .isEqualTo(UserGroupInformation.getCurrentUser().toString());
        assertThat(taken.get(1).untilMillis().get() - taken.get(1).atMillis()).isEqualTo(60_000);
    }

    @Test
    void auditsFinalRefusal() {
        long refused = audit.countRefused();

        for (String word : new String[] {"drain", "drain-alone"}) {
            RefreshResponse response = order(word, "nn1");

            assertThat(response.getReturnCode()).isEqualTo(1);
            assertThat(response.getMessage()).contains("Without nn1 no NameNode could be active");
        }
        assertThat(audit.countRefused()).isEqualTo(refused + 2);
        assertThat(taken)
                .extracting(ElectionOrder::kind)
                .containsExactly(ElectionOrder.Kind.DRAIN, ElectionOrder.Kind.DRAIN_ALONE);
    }

    @Test
    void leavesOrderToOtherNameNodeWithoutZooKeeper() {
        long failed = audit.countFailed();
        zooKeeperIsAway = true;

        RefreshResponse response = order("prefer", "nn1", "");

        assertThat(response.getReturnCode()).isEqualTo(NameserviceOrders.NOT_TAKEN);
        assertThat(response.getMessage()).contains("ZooKeeper is out of reach");
        assertThat(audit.countFailed()).isEqualTo(failed + 1);
    }

    @Test
    void malformedOrderChangesNothing() {
        for (String[] arguments : new String[][] {
            {}, {"drain"}, {"prefer", "nn1"}, {"prefer", "nn1", "soon"}, {"prefer", "nn1", "0"}, {"stop", "nn1"}
        }) {
            assertThat(order(arguments).getReturnCode()).isEqualTo(1);
        }
        assertThat(taken).isEmpty();
    }

    /** As {@link RemoteElectionOrders} sends them: a command may be older or newer than the NameNode that it finds. */
    @Test
    void ordersOfAllReleasesAreTaken() throws Exception {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        String[][] sent = {
            {ElectionOrders.PREFER, "nn2", "60"},
            {ElectionOrders.PREFER, "nn2", ""},
            {ElectionOrders.PREFER_NOBODY},
            {ElectionOrders.DRAIN, "nn1"},
            {ElectionOrders.DRAIN_ALONE, "nn1"},
            {ElectionOrders.UNDRAIN, "nn1"}
        };
        StringBuilder lines = new StringBuilder();
        for (String[] arguments : sent) {
            lines.append(ElectionOrders.identifier("ns1"))
                    .append('\t')
                    .append(String.join("\t", arguments))
                    .append('\n');
        }
        golden.assertMatchesNewestRelease("orders/elections", lines.toString());

        for (byte[] release : golden.readAllReleases("orders/elections").values()) {
            for (String line : new String(release, StandardCharsets.UTF_8).split("\n")) {
                taken.clear();
                String[] arguments = line.split("\t", -1);
                orders.handleRefresh(arguments[0], Arrays.copyOfRange(arguments, 1, arguments.length));
                assertThat(taken).as(line).hasSize(1);
            }
        }
    }

    @Test
    void refusesOrderOfUnauthorizedUser() throws Exception {
        long refused = audit.countRefused();

        RefreshResponse response = UserGroupInformation.createRemoteUser("mallory")
                .doAs((PrivilegedExceptionAction<RefreshResponse>) () -> order("drain", "nn1"));

        assertThat(response.getReturnCode()).isEqualTo(1);
        assertThat(response.getMessage()).contains("Disallowed RPC access from mallory");
        assertThat(taken).isEmpty();
        assertThat(audit.countRefused()).isEqualTo(refused + 1);
    }
}

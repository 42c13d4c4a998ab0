/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NameNodeServer;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.scenario.MutatingCalls.Call;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/**
 * Every call that changes something is executed, its answer taken as lost, and the call sent again under its id: to the same
 * NameNode, to the next one after a kill, and to one that started from an image that has the call in it. The state is that of
 * one execution each time, and the answer that of the first. What HDFS does without the retry window is written to
 * {@code target/stock-retry-answers.md}.
 */
class ExactlyOnceIT {
    private static final Path TABLE = Path.of("target/stock-retry-answers.md");

    /** Known to be wrong in HDFS itself, wherever the standby has learned of the call by tailing. */
    private static final List<String> WRONG_IN_HDFS = List.of("addErasureCodingPolicies");

    @Test
    void aCallThatIsSentAgainIsAnsweredAsBeforeAndDoesNothing() throws Exception {
        HaCluster.builder("exactly-once")
                .dataNodes(1)
                .withAutomaticFailover()
                .property("dfs.namenode.fs-limits.min-block-size", "1024")
                .property("fs.permissions.umask-mode", "022")
                .property("dfs.namenode.fs-limits.max-xattrs-per-inode", "32")
                // What HDFS does by itself.
                .serverProperty("nn3", "dfs.mams.retry.window.txns", "0")
                .run(ExactlyOnceIT::sendEverythingAgain);
    }

    private static void sendEverythingAgain(HaCluster cluster) throws Exception {
        Sender sender = new Sender(cluster);
        MutatingCalls calls = new MutatingCalls(cluster.newFileSystem());
        assertThat(calls.forgotten())
                .as("methods of ClientProtocol that are not tested")
                .isEmpty();

        NameNodeServer first = moveTo(cluster, cluster.nameNode(1));
        Map<Call, Integer> ids = new LinkedHashMap<>();
        Map<Call, String> answers = new LinkedHashMap<>();
        for (Call call : calls.all()) {
            call.prepare().on(sender.nameNode(first));
            ids.put(call, Client.nextCallId());
            answers.put(call, sender.send(first, call, ids.get(call)));
        }
        assertThat(answers.values()).as("first answers").noneMatch(answer -> answer.startsWith("error"));
        NamespaceDigest once = NamespaceDigest.of(first);

        // The reply is lost.
        assertThat(sender.sendAll(first, ids)).isEqualTo(answers);
        NamespaceDigest.of(first).expectSameAs(once);

        // The active dies after the execution; the next one has only tailed.
        first.kill9();
        NameNodeServer second = moveTo(cluster, cluster.nameNode(2));
        assertThat(right(sender.sendAll(second, ids))).isEqualTo(right(answers));
        first.awaitState(HAServiceState.STANDBY);
        NamespaceDigest.of(second).expectSameAs(once);

        // A NameNode that starts from an image that is newer than the calls.
        cluster.awaitStandbysCaughtUp(Reckoning.LIMIT);
        for (NameNodeServer starting : List.of(cluster.nameNode(1), cluster.nameNode(3))) {
            NamespaceDigest.of(starting).expectSameAs(once);
            starting.restart();
            starting.awaitState(HAServiceState.STANDBY);
        }
        moveTo(cluster, cluster.nameNode(1));
        assertThat(sender.sendAll(cluster.nameNode(1), ids)).isEqualTo(answers);
        NamespaceDigest.of(cluster.nameNode(1)).expectSameAs(once);

        moveTo(cluster, cluster.nameNode(3));
        report(answers, sender.sendAll(cluster.nameNode(3), ids));
    }

    private static Map<Call, String> right(Map<Call, String> answers) {
        Map<Call, String> right = new LinkedHashMap<>(answers);
        right.keySet().removeIf(call -> WRONG_IN_HDFS.contains(call.method()));
        return right;
    }

    private static NameNodeServer moveTo(HaCluster cluster, NameNodeServer next) {
        NameNodeServer active = cluster.awaitActive();
        if (active != next) {
            next.awaitState(HAServiceState.STANDBY);
            cluster.haadmin("-failover", active.name(), next.name()).expectSuccess();
        }
        next.awaitState(HAServiceState.ACTIVE);
        return next;
    }

    /** What goes wrong without the window, and that something does: else this test would prove nothing. */
    private static void report(Map<Call, String> answers, Map<Call, String> stock) throws IOException {
        StringBuilder table = new StringBuilder(
                "| method | HDFS says | answer | answer to the repetition |\n| --- | --- | --- | --- |\n");
        List<String> wrong = new ArrayList<>();
        stock.forEach((call, answer) -> {
            if (!answer.equals(answers.get(call))) {
                wrong.add(call.method());
                table.append("| `%s` | %s | %s | %s |%n"
                        .formatted(
                                call.method(),
                                call.isAtMostOnce() ? "at most once" : "idempotent",
                                answers.get(call).isEmpty() ? "done" : answers.get(call),
                                answer));
            }
        });
        Files.writeString(TABLE, table);
        System.out.println("HDFS answers a repetition after a start from a newer image otherwise:\n" + table);
        assertThat(wrong).contains("delete", "rename", "create", "append");
    }

    /** Sends calls under ids that the test chooses, to one NameNode each. */
    private static final class Sender {
        private final HaCluster cluster;
        private final Map<NameNodeServer, ClientProtocol> nameNodes = new LinkedHashMap<>();

        Sender(HaCluster cluster) {
            this.cluster = cluster;
        }

        ClientProtocol nameNode(NameNodeServer server) throws IOException {
            ClientProtocol nameNode = nameNodes.get(server);
            if (nameNode == null) {
                nameNode = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                        server.rpcAddress(),
                        cluster.clientConfiguration(),
                        UserGroupInformation.getCurrentUser(),
                        false,
                        null);
                nameNodes.put(server, nameNode);
            }
            return nameNode;
        }

        String send(NameNodeServer server, Call call, int id) throws Exception {
            ClientProtocol nameNode = nameNode(server);
            Client.setCallIdAndRetryCountUnprotected(id, 0, null);
            try {
                return String.valueOf(call.body().on(nameNode));
            } catch (RemoteException e) {
                String text = e.getMessage().split("\n")[0];
                String type = e.getClassName().substring(e.getClassName().lastIndexOf('.') + 1);
                return "error " + type + (text.length() > 80 ? "" : ": " + text);
            }
        }

        Map<Call, String> sendAll(NameNodeServer server, Map<Call, Integer> ids) throws Exception {
            // A connection to the process before it on this port may have to be found dead first.
            ClientProtocol nameNode = nameNode(server);
            await().ignoreExceptions().until(() -> nameNode.getHAServiceState() == HAServiceState.ACTIVE);
            Map<Call, String> answers = new LinkedHashMap<>();
            for (Map.Entry<Call, Integer> id : ids.entrySet()) {
                answers.put(id.getKey(), send(server, id.getKey(), id.getValue()));
            }
            return answers;
        }
    }
}

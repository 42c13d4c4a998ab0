/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.layout.JournalKind;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.authentication.Authentication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The members of a pool change while a client writes, and no configuration does: the URI names only the first node. */
@Tag("long")
class MembersIT {
    private static final int FEW = 30;

    @Test
    void poolGrowsShrinksAndReplacesDisksUnderLoad() throws Exception {
        HaClusterBuilder plan = HaCluster.builder("members")
                .nameNodes(2)
                .journal(JournalKind.ssp().standAlone(5, 1).withSelfNamingNode("pool2"))
                .property("trefoil.journal.replicas.min", "1");
        try (HaCluster cluster = plan.create()) {
            cluster.journalServer(1).start();
            cluster.journalServer(1).awaitListening("pool");
            cluster.nameNode(1).format("members");
            cluster.nameNode(1).start();
            cluster.nameNode(1).awaitUp();
            cluster.nameNode(2).bootstrapStandby();
            cluster.startNameNodes();
            cluster.makeActive(cluster.nameNode(1));
            FileSystem fileSystem = cluster.newFileSystem();
            try (RunningLoad load = Workload.on(fileSystem).threads(4).start()) {
                load.awaitMore(FEW, Await.TIMEOUT);
                growFromOneToFive(cluster, load);
                shrinkToThreeNotNamedInUri(cluster, load);
                assertLearnerVotesOnlyOnRequest(cluster, load);
                assertLostDiskIsReplacedAutomatically(cluster, load);
                assertOldDiskIsMovedAside(cluster, load);
                replaceDeadNode(cluster, load);
                new Verifier(fileSystem)
                        .verify(load.root(), load.stop(Await.TIMEOUT))
                        .expectClean();
            }
            assertOtherNameNodeFindsLoggedMembers(cluster);
            cluster.markSucceeded();
        }
    }

    private static void growFromOneToFive(HaCluster cluster, RunningLoad load) {
        cluster.journalServer(2).start();
        awaitVoters(cluster, 1, 2);
        for (int number = 3; number <= 5; number++) {
            cluster.journalServer(number).start();
            cluster.journalServer(number).awaitListening("pool");
            journal(cluster, "add", address(cluster, number)).expectSuccess();
        }
        load.awaitMore(FEW, Await.TIMEOUT);
        awaitVoters(cluster, 1, 2, 3, 4, 5);
    }

    private static void shrinkToThreeNotNamedInUri(HaCluster cluster, RunningLoad load) {
        journal(cluster, "remove", address(cluster, 2)).expectSuccess();
        journal(cluster, "remove", address(cluster, 1)).expectSuccess();
        load.awaitMore(FEW, Await.TIMEOUT);
        awaitVoters(cluster, 3, 4, 5);
    }

    /** Servers 1 and 2 are up but no members: the first was removed, and comes back as a remote site. */
    private static void assertLearnerVotesOnlyOnRequest(HaCluster cluster, RunningLoad load) throws IOException {
        String far = address(cluster, 1);
        ToolResult added = journal(cluster, "add", "--learner", far).expectSuccess();
        assertThat(added.output()).contains(far + " PERMANENT_LEARNER");
        load.awaitMore(FEW, Await.TIMEOUT);
        awaitVoters(cluster, 3, 4, 5);
        awaitLearnerCaughtUp(cluster, 1);
        assertLearnerWithLostDiskRejoinsAsLearner(cluster, load);
        assertLearnerNeverCountsForCommits(cluster, load);
        journal(cluster, "add", far).expectSuccess();
        awaitVoters(cluster, 1, 3, 4, 5);
        journal(cluster, "remove", far).expectSuccess();
        awaitVoters(cluster, 3, 4, 5);
    }

    private static void assertLearnerWithLostDiskRejoinsAsLearner(HaCluster cluster, RunningLoad load)
            throws IOException {
        Server server = cluster.journalServer(1);
        NodeId old = nodeIdOf(cluster, server);
        server.kill9ForGood();
        Files.move(server.journalDirectory(), oldDiskDirectory(server));
        // Two of three voters are a majority; of four members they would not be.
        cluster.journalServer(5).pause();
        load.awaitMore(FEW, Await.TIMEOUT);
        cluster.journalServer(5).resume();
        assertThat(lagOf(writerStatus(cluster), server.address("pool")))
                .as("the lag of the learner that is away")
                .isPositive();
        server.start();
        NodeAddress address = NodeAddress.parse(server.address("pool"));
        Await.until(
                "the learner is one again, under another id than " + old,
                Await.TIMEOUT,
                () -> newestLog(statuses(cluster))
                        .members()
                        .findByAddress(address)
                        .filter(member -> !member.isVoter() && !member.id().equals(old))
                        .isPresent(),
                cluster::describe);
        awaitLearnerCaughtUp(cluster, 1);
        awaitVoters(cluster, 3, 4, 5);
        String row = journal(cluster, "status")
                .output()
                .lines()
                .filter(line -> line.startsWith(address + " "))
                .findFirst()
                .orElseThrow();
        // Node, role, state, epoch, committed, transaction, end and, after them, the lag in entries.
        assertThat(row).matches(".*:\\d+ +permanent-learner +serves( +\\d+){5} +\\S+");
        assertThat(writerStatus(cluster).path("Voters").asInt()).isEqualTo(3);
    }

    /** With one of three voters and the learner, two of four replicas are up, which is no majority of the voters. */
    private static void assertLearnerNeverCountsForCommits(HaCluster cluster, RunningLoad load) {
        NodeAddress learner = NodeAddress.parse(address(cluster, 1));
        long lastSn = newestLog(statuses(cluster)).position().sn();
        cluster.journalServer(4).pause();
        cluster.journalServer(5).pause();
        Await.until(
                "two of three voters are out of sync",
                Await.TIMEOUT,
                () -> writerStatus(cluster).path("InSyncVoters").asInt() == 1,
                cluster::describe);
        long acknowledged = load.ledger().acknowledgedCount();
        StatusReply received = statuses(cluster).get(learner);
        assertThat(received.end().position().sn())
                .as("the learner has what no majority has")
                .isGreaterThan(
                        Math.max(lastSn, received.committedSummary().position().sn()));
        assertThat(load.ledger().acknowledgedCount())
                .as("and nobody was told that it is done")
                .isEqualTo(acknowledged);
        cluster.journalServer(4).resume();
        cluster.journalServer(5).resume();
        load.awaitMore(FEW, Await.TIMEOUT);
        awaitVoters(cluster, 3, 4, 5);
    }

    private static JsonNode writerStatus(HaCluster cluster) {
        return cluster.nameNode(1).jmx().bean("Hadoop:service=NameNode,name=SspWriter-trefoil");
    }

    private static void awaitLearnerCaughtUp(HaCluster cluster, int number) {
        long written = newestLog(statuses(cluster)).lastTxId();
        NodeAddress learner = NodeAddress.parse(address(cluster, number));
        Await.until(
                "the learner has transaction " + written,
                Await.TIMEOUT,
                () -> statuses(cluster).get(learner).committedSummary().lastTxId() >= written,
                cluster::describe);
    }

    private static long lagOf(JsonNode writer, String node) {
        for (int i = 1; writer.has("tag.PoolNode." + i); i++) {
            if (writer.path("tag.PoolNode." + i).asText().equals(node)) {
                return writer.path("LagEntries." + i).asLong();
            }
        }
        throw new AssertionError("no lag of " + node + " in " + writer);
    }

    private static void assertLostDiskIsReplacedAutomatically(HaCluster cluster, RunningLoad load) throws IOException {
        Server server = cluster.journalServer(3);
        NodeId old = nodeIdOf(cluster, server);
        server.kill9ForGood();
        Files.move(server.journalDirectory(), oldDiskDirectory(server));
        load.awaitMore(FEW, Await.TIMEOUT);
        server.start();
        awaitVoterWithNewId(cluster, server, old);
        load.awaitMore(FEW, Await.TIMEOUT);
    }

    private static void assertOldDiskIsMovedAside(HaCluster cluster, RunningLoad load) throws IOException {
        Server server = cluster.journalServer(3);
        NodeId second = nodeIdOf(cluster, server);
        server.kill9ForGood();
        Files.move(server.journalDirectory(), oldDiskDirectory(server).resolveSibling("second-disk"));
        Files.move(oldDiskDirectory(server), server.journalDirectory());
        server.start();
        awaitVoterWithNewId(cluster, server, second);
        try (Stream<Path> kept = Files.list(server.journalDirectory())) {
            assertThat(kept.map(path -> path.getFileName().toString())).anyMatch(name -> name.endsWith(".moved-1"));
        }
        load.awaitMore(FEW, Await.TIMEOUT);
    }

    private static void replaceDeadNode(HaCluster cluster, RunningLoad load) {
        Server dead = cluster.journalServer(4);
        dead.kill9ForGood();
        journal(cluster, "replace", address(cluster, 4), address(cluster, 1)).expectSuccess();
        load.awaitMore(FEW, Await.TIMEOUT);
        awaitVoters(cluster, 1, 3, 5);
    }

    private static void assertOtherNameNodeFindsLoggedMembers(HaCluster cluster) {
        cluster.nameNode(1).kill9ForGood();
        cluster.makeActive(cluster.nameNode(2));
        cluster.nameNode(2).awaitState(HAServiceState.ACTIVE);
        assertThat(journal(cluster, "status").output()).contains("3 of 3 voters in reach");
    }

    private static void awaitVoters(HaCluster cluster, int... numbers) {
        List<NodeAddress> expectedNodes = IntStream.of(numbers)
                .mapToObj(number -> NodeAddress.parse(address(cluster, number)))
                .toList();
        Await.until(
                "exactly the pool nodes " + expectedNodes + " vote and have everything",
                Await.TIMEOUT,
                () -> areCaughtUp(statuses(cluster), expectedNodes),
                cluster::describe);
    }

    private static void awaitVoterWithNewId(HaCluster cluster, Server server, NodeId old) {
        NodeAddress address = NodeAddress.parse(server.address("pool"));
        Await.until(
                server.name() + " votes under another id than " + old,
                Await.TIMEOUT,
                () -> {
                    Map<NodeAddress, StatusReply> statuses = statuses(cluster);
                    Optional<Member> member = newestLog(statuses).members().findByAddress(address);
                    return member.filter(Member::isVoter)
                                    .filter(there -> !there.id().equals(old))
                                    .isPresent()
                            && newestLog(statuses).members().voterCount() == 3
                            && areCaughtUp(statuses, List.of(address));
                },
                cluster::describe);
    }

    /** Whether exactly these nodes vote, and each is about as far as the furthest: a client writes meanwhile. */
    private static boolean areCaughtUp(Map<NodeAddress, StatusReply> statuses, List<NodeAddress> expectedNodes) {
        LogSummary newest = newestLog(statuses);
        for (NodeAddress address : expectedNodes) {
            StatusReply status = statuses.get(address);
            boolean votes = status != null
                    && newest.members().isVoter(status.node())
                    && status.completeness() == LogCompleteness.COMPLETE
                    && status.committedSummary().members().equals(newest.members());
            if (!votes) {
                return false;
            }
        }
        return expectedNodes.size() == 1 || newest.members().voterCount() == expectedNodes.size();
    }

    private static LogSummary newestLog(Map<NodeAddress, StatusReply> statuses) {
        return statuses.values().stream()
                .map(StatusReply::committedSummary)
                .max((one, other) -> one.position().compareTo(other.position()))
                .orElse(LogSummary.ORIGIN);
    }

    private static NodeId nodeIdOf(HaCluster cluster, Server server) {
        return statuses(cluster).get(NodeAddress.parse(server.address("pool"))).node();
    }

    /** What every pool node in reach reports about itself, asked without a process of its own. */
    private static Map<NodeAddress, StatusReply> statuses(HaCluster cluster) {
        List<NodeAddress> up = cluster.journalServers().stream()
                .filter(Server::isAlive)
                .map(server -> NodeAddress.parse(server.address("pool")))
                .toList();
        JournalId journal = JournalId.of(cluster.layout().nameservice());
        Map<NodeAddress, StatusReply> statuses = new LinkedHashMap<>();
        try (PoolAdminClient inquiry = PoolAdminClient.of(journal, Authentication.NONE, Duration.ofSeconds(1))) {
            for (Map.Entry<NodeAddress, NodeAnswer> answer :
                    inquiry.query(up, StatusRequest.create()).entrySet()) {
                answer.getValue()
                        .reply()
                        .filter(StatusReply.class::isInstance)
                        .ifPresent(reply -> statuses.put(answer.getKey(), (StatusReply) reply));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return statuses;
    }

    private static Path oldDiskDirectory(Server server) {
        return server.journalDirectory().resolveSibling("old-disk");
    }

    private static String address(HaCluster cluster, int number) {
        return cluster.journalServer(number).address("pool");
    }

    private static ToolResult journal(HaCluster cluster, String command, String... options) {
        List<String> arguments = Stream.concat(Stream.of("journal", command, "--timeout=3"), Stream.of(options))
                .toList();
        return cluster.trefoil(arguments.toArray(new String[0]));
    }
}

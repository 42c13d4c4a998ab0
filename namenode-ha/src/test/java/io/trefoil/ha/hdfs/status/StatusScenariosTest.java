/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.ha.hdfs.config.ConfiguredSites;
import io.trefoil.ha.model.MemberReasons;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/operating/verdicts.md}: what is said of each situation, from the answers that servers give in it. */
class StatusScenariosTest {
    private static final Path PAGE = Path.of("../docs/operating/verdicts.md");
    private static final String POISON = "transaction 7, MkdirOp [path=/a]: IOException: no";
    private static final Map<String, String> EXIT_CODES = Map.of("healthy", "0", "degraded", "1", "down", "4");

    /** Each with its name on the page. */
    private static final Map<String, Consumer<Group>> SITUATIONS = new LinkedHashMap<>();

    static {
        addScenario("all three serve", group -> {});
        addScenario(
                "a NameNode starts",
                group -> group.withJmx(
                        3, Map.of("StartupProgress", "[{\"PercentComplete\":0.43}]", "NameNodeStatus", "[]")));
        addScenario(
                "a NameNode is in safe mode after its start", group -> group.withJunior(3, MemberReasons.SAFE_MODE));
        addScenario(
                "the active is in safe mode",
                group -> group.withBean(1, bean -> bean.put("Reason", MemberReasons.SAFE_MODE)));
        addScenario("a standby lags", group -> group.withJunior(3, MemberReasons.BEHIND));
        addScenario("a NameNode's pool node lags", group -> group.withJunior(3, MemberReasons.REPLICA_BEHIND)
                .withWriter(3, 4711));
        addScenario(
                "a name directory's disk is full",
                group -> group.withJunior(
                        3,
                        "unhealthy: The NameNode has no resources available: /data/1/nn has 12 MiB left, less than the"
                                + " 100 MiB of dfs.namenode.resource.du.reserved: free some space"));
        addScenario(
                "a NameNode hangs",
                group ->
                        group.withJunior(3, MemberReasons.STUCK + "30000 ms, and no thread that holds it was working"));
        addScenario("two processes use one NameNode's name", group -> group.withJunior(3, MemberReasons.DOUBLED));
        addScenario("a standby's process is gone", group -> group.withHostDown(3));
        addScenario(
                "a standby's process is stopped (SIGSTOP), or its host is cut off",
                group -> group.withUnresponsiveHost(3));
        addScenario(
                "a NameNode runs without `MamsPlugin`",
                group -> group.withJmx(3, Map.of("NameNodeStatus", "[{\"State\":\"standby\"}]")));
        addScenario(
                "a NameNode runs beside a ZKFC",
                group -> group.withJmx(
                        3,
                        Map.of(
                                "NameNodeStatus", "[{\"State\":\"standby\"}]",
                                "RpcDetailedActivityForPort", "[{\"MonitorHealthNumOps\":4711}]")));
        addScenario("the active's page hangs, but it writes", group -> group.withoutPage(1)
                .withLease());
        addScenario("the active was killed a moment ago", group -> group.withHostDown(1));
        addScenario("a standby takes over", group -> group.withHostDown(1)
                .withBean(2, bean -> bean.put("Stage", "ACTIVATING")));
        addScenario("two call themselves active", group -> group.withBean(2, bean -> bean.put("State", "ACTIVE")));
        addScenario(
                "two of three hosts are gone", group -> group.withHostDown(2).withHostDown(3));
        addScenario("the active and another host are gone", group -> group.withHostDown(1)
                .withHostDown(2));
        addScenario("the active is gone, and the others are unhealthy", group -> group.withHostDown(1)
                .withJunior(2, MemberReasons.NO_SPACE)
                .withJunior(3, MemberReasons.NO_SPACE));
        addScenario("the first NameNode of a new cluster is alone", Group::withoutHistory);
        addScenario("ZooKeeper is out of reach", group -> group.withBean(1, Group::isolate)
                .withBean(2, Group::isolate)
                .withBean(3, Group::isolate));
        addScenario("one NameNode does not reach ZooKeeper", group -> group.withBean(3, Group::isolate));
        addScenario(
                "the active is gone, and ZooKeeper too",
                group -> group.withHostDown(1).withBean(2, Group::isolate).withBean(3, Group::isolate));
        addScenario("a standby is drained", group -> group.withDrained("nn3"));
        addScenario("the active is drained", group -> group.withDrained("nn1"));
        addScenario(
                "a drained host is needed", group -> group.withDrained("nn2").withHostDown(3));
        addScenario(
                "a pool node's disk hangs", group -> group.withStatus(3, status -> status.withDiskStallMillis(9_000)));
        addScenario("a pool node's disk hangs for long", group -> group.withJunior(
                        3, MemberReasons.DISK_SILENT + "30000 ms")
                .withStatus(3, status -> status.withDiskStallMillis(61_000)));
        addScenario(
                "a pool node failed",
                group -> group.withAnswer(3, FailedReply.of(NodeId.of("id3"), "segment 40 is damaged")));
        addScenario("a pool node refetches", group -> group.withJunior(3, MemberReasons.REPLICA_BEHIND)
                .withWriter(3, 4711)
                .withAnswer(3, Group.status(3, LogCompleteness.REFETCHING)));
        addScenario("a pool node lost its disk", group -> group.withAnswer(3, NotFormattedReply.of(NodeId.of("id3"))));
        addScenario("no standby can apply an edit", group -> group.withEndedNameNode(2)
                .withEndedNameNode(3)
                .withStatus(2, status -> status.withUnappliedEdit(POISON))
                .withStatus(3, status -> status.withUnappliedEdit(POISON)));
        addScenario("the journal has two voters", Group::withTwoVoters);
    }

    private static void addScenario(String name, Consumer<Group> happens) {
        SITUATIONS.put(name, happens);
    }

    @Test
    void pageListsVerdictAdviceAndExitCodePerSituation() throws IOException {
        List<String> rows = new ArrayList<>();
        SITUATIONS.forEach((name, happens) -> {
            Group group = new Group();
            happens.accept(group);
            JsonNode verdict = group.document().path("verdict");
            rows.add("| " + name + " | " + verdict.path("sentence").asText() + " | "
                    + tableCell(verdict.at("/findings/0/advice").asText()) + " | "
                    + EXIT_CODES.get(verdict.path("level").asText()) + " |");
        });

        assertThat(rows).hasSizeGreaterThanOrEqualTo(30);
        assertThat(String.join("\n", Files.readAllLines(PAGE))).contains(String.join("\n", rows));
    }

    private static String tableCell(String advice) {
        return advice.isEmpty() ? "–" : advice;
    }

    @Test
    void poolStateIsOfNewestWriterWhenTwoAreActive() {
        JsonNode findings = new Group().withFormerWriter(3).document().at("/verdict/findings");

        assertThat(findings).hasSize(1);
        assertThat(findings.at("/0/what").asText()).isEqualTo("nn1 and nn3 both call themselves active");
    }

    @Test
    void everyFindingHasSeparateAdviceWhenReasonsDiffer() {
        List<String> reasons = List.of(
                MemberReasons.SAFE_MODE,
                MemberReasons.BEHIND,
                MemberReasons.REPLICA_BEHIND,
                MemberReasons.NO_SPACE,
                MemberReasons.STUCK,
                MemberReasons.DOUBLED,
                MemberReasons.DISK_SILENT,
                "something else");

        List<String> advice = new ArrayList<>();
        for (String reason : reasons) {
            advice.add(new Group()
                    .withJunior(3, reason)
                    .document()
                    .at("/verdict/findings/0/advice")
                    .asText());
        }

        assertThat(new TreeSet<>(advice)).hasSameSizeAs(reasons);
    }

    /** Three NameNodes with their pool nodes, as their pages and ports answer. */
    private static final class Group {
        private static final ObjectMapper JSON = new ObjectMapper();
        private static final Epoch EPOCH = Epoch.of(7);

        private final ObjectNode[] beans = new ObjectNode[4];
        private final Map<String, GroupBean> members = new LinkedHashMap<>();
        private final Map<NodeAddress, NodeAnswer> nodes = new LinkedHashMap<>();
        private final ObjectNode view = JSON.createObjectNode().put("ballot", 2);
        private final ObjectNode details = JSON.createObjectNode();
        private int voters = 3;
        private int former;

        Group() {
            for (int number = 1; number <= 3; number++) {
                view.withArray("members")
                        .addObject()
                        .put("name", "nn" + number)
                        .put("pool", address(number).toString());
                details.withArray("nodes")
                        .addObject()
                        .put("address", address(number).toString())
                        .put("inSync", true);
                beans[number] = JSON.createObjectNode()
                        .put("State", number == 1 ? "ACTIVE" : "STANDBY")
                        .put("Stage", number == 1 ? "SERVING" : "FOLLOWING")
                        .put("ViewCurrent", true);
            }
        }

        static void isolate(ObjectNode bean) {
            bean.put("ViewCurrent", false);
        }

        private static NodeAddress address(int number) {
            return NodeAddress.of("host" + number, 8487);
        }

        Group withBean(int number, Consumer<ObjectNode> change) {
            change.accept(beans[number]);
            return this;
        }

        Group withJunior(int number, String reason) {
            return withBean(number, bean -> bean.put("State", "JUNIOR").put("Reason", reason));
        }

        /** What else a NameNode's page /jmx has, which has no bean of ours. */
        Group withJmx(int number, Map<String, String> pages) {
            try {
                members.put(
                        "nn" + number,
                        GroupBean.of(
                                name -> JSON.readTree(pages.getOrDefault(
                                        name.substring(name.lastIndexOf('=') + 1)
                                                .replace("*", ""),
                                        "[]")),
                                name -> pages.getOrDefault(name, "")));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return this;
        }

        Group withoutPage(int number) {
            members.put("nn" + number, GroupBean.silent("does not answer: Read timed out"));
            return this;
        }

        /** Its pool node runs in its place. */
        Group withEndedNameNode(int number) {
            members.put("nn" + number, GroupBean.silent("does not answer: Connection refused"));
            return this;
        }

        Group withHostDown(int number) {
            withEndedNameNode(number);
            nodes.put(address(number), NodeAnswer.ofFailure("Connection refused"));
            return this;
        }

        Group withUnresponsiveHost(int number) {
            nodes.put(address(number), NodeAnswer.ofFailure("no answer in 2000 ms"));
            return withoutPage(number);
        }

        Group withWriter(int number, long lag) {
            ((ObjectNode) details.withArray("nodes").get(number - 1))
                    .put("inSync", false)
                    .put("lagEntries", lag);
            return this;
        }

        /** It does not know that another writes, and reaches no pool node. */
        Group withFormerWriter(int number) {
            former = number;
            return withBean(number, bean -> bean.put("State", "ACTIVE").put("Epoch", EPOCH.number() - 1))
                    .withBean(1, bean -> bean.put("Epoch", EPOCH.number()));
        }

        Group withLease() {
            for (int number = 1; number <= 3; number++) {
                nodes.put(address(number), NodeAnswer.ofReply(status(number, LogCompleteness.COMPLETE, 3, 4_000)));
            }
            return this;
        }

        Group withDrained(String nameNode) {
            view.with("orders").withArray("drained").addObject().put("nameNode", nameNode);
            return this;
        }

        Group withAnswer(int number, PoolReply reply) {
            nodes.put(address(number), NodeAnswer.ofReply(reply));
            return this;
        }

        Group withStatus(int number, UnaryOperator<StatusReply> change) {
            return withAnswer(number, change.apply(status(number, LogCompleteness.COMPLETE)));
        }

        Group withoutHistory() {
            voters = 1;
            withHostDown(2).withHostDown(3).withAnswer(1, status(1, LogCompleteness.COMPLETE, 1, 0));
            return withBean(1, bean -> bean.put("State", "STANDBY").put("Stage", "ACQUIRING_EPOCH"));
        }

        Group withTwoVoters() {
            voters = 2;
            beans[3] = null;
            return this;
        }

        static StatusReply status(int number, LogCompleteness completeness) {
            return status(number, completeness, 3, 0);
        }

        private static StatusReply status(int number, LogCompleteness completeness, int voterCount, long leaseMillis) {
            List<Member> voters = new ArrayList<>();
            for (int each = 1; each <= voterCount; each++) {
                voters.add(Member.voter(NodeId.of("id" + each), address(each)));
            }
            LogSummary log = LogSummary.of(
                    LogPosition.of(EPOCH, 12), Members.of(voters), 42, Optional.empty(), Optional.empty());
            return StatusReply.of(
                    NodeId.of("id" + number),
                    NamespaceId.of("CID-1", 7),
                    Promise.of(EPOCH, WriterId.of("nn1"), 5_000),
                    log,
                    log,
                    1,
                    completeness,
                    leaseMillis);
        }

        JsonNode document() {
            Map<String, String> addresses = new LinkedHashMap<>();
            Map<String, GroupBean> answers = new LinkedHashMap<>();
            Map<NodeAddress, NodeAnswer> replies = new LinkedHashMap<>();
            for (int number = 1; number <= 3; number++) {
                if (beans[number] == null) {
                    continue;
                }
                String name = "nn" + number;
                addresses.put(name, "host" + number + ":9870");
                boolean isActive = beans[number].path("State").asText().equals("ACTIVE");
                String seen = details.toString();
                beans[number]
                        .put("View", view.toString())
                        .put(
                                "Details",
                                number == former
                                        ? seen.replace("\"inSync\":true", "\"inSync\":false")
                                        : isActive ? seen : "{}");
                answers.put(name, members.getOrDefault(name, GroupBean.read(beans[number])));
                replies.put(
                        address(number),
                        nodes.getOrDefault(
                                address(number),
                                NodeAnswer.ofReply(status(number, LogCompleteness.COMPLETE, voters, 0))));
            }
            return new StatusDocument(
                            "ns1",
                            addresses,
                            answers,
                            new PoolStatusClient.Answers(replies, Map.of()),
                            Optional.empty(),
                            ConfiguredSites.of(new Configuration(false), "ns1"))
                    .json(5_000);
        }
    }
}

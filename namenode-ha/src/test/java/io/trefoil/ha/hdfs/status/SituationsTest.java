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
class SituationsTest {
    private static final Path PAGE = Path.of("../docs/operating/verdicts.md");
    private static final String POISON = "transaction 7, MkdirOp [path=/a]: IOException: no";
    private static final Map<String, String> EXIT_CODES = Map.of("healthy", "0", "degraded", "1", "down", "4");

    /** Each with its name on the page. */
    private static final Map<String, Consumer<Group>> SITUATIONS = new LinkedHashMap<>();

    static {
        put("all three serve", group -> {});
        put(
                "a NameNode starts",
                group -> group.jmx(
                        3, Map.of("StartupProgress", "[{\"PercentComplete\":0.43}]", "NameNodeStatus", "[]")));
        put("a NameNode is in safe mode after its start", group -> group.junior(3, MemberReasons.SAFE_MODE));
        put("the active is in safe mode", group -> group.bean(1, bean -> bean.put("Reason", MemberReasons.SAFE_MODE)));
        put("a standby lags", group -> group.junior(3, MemberReasons.BEHIND));
        put("a NameNode's pool node lags", group -> group.junior(3, MemberReasons.REPLICA_BEHIND)
                .writer(3, 4711));
        put(
                "a name directory's disk is full",
                group -> group.junior(
                        3,
                        "unhealthy: The NameNode has no resources available: /data/1/nn has 12 MiB left, less than the"
                                + " 100 MiB of dfs.namenode.resource.du.reserved: free some space"));
        put(
                "a NameNode hangs",
                group -> group.junior(3, MemberReasons.STUCK + "30000 ms, and no thread that holds it was working"));
        put("two processes use one NameNode's name", group -> group.junior(3, MemberReasons.DOUBLED));
        put("a standby's process is gone", group -> group.gone(3));
        put("a standby's process is stopped (SIGSTOP), or its host is cut off", group -> group.silent(3));
        put(
                "a NameNode runs without `MamsPlugin`",
                group -> group.jmx(3, Map.of("NameNodeStatus", "[{\"State\":\"standby\"}]")));
        put(
                "a NameNode runs beside a ZKFC",
                group -> group.jmx(
                        3,
                        Map.of(
                                "NameNodeStatus", "[{\"State\":\"standby\"}]",
                                "RpcDetailedActivityForPort", "[{\"MonitorHealthNumOps\":4711}]")));
        put("the active's page hangs, but it writes", group -> group.noPage(1).leased());
        put("the active was killed a moment ago", group -> group.gone(1));
        put("a standby takes over", group -> group.gone(1).bean(2, bean -> bean.put("Stage", "ACTIVATING")));
        put("two call themselves active", group -> group.bean(2, bean -> bean.put("State", "ACTIVE")));
        put("two of three hosts are gone", group -> group.gone(2).gone(3));
        put("the active and another host are gone", group -> group.gone(1).gone(2));
        put(
                "the active is gone, and the others are unhealthy",
                group -> group.gone(1).junior(2, MemberReasons.NO_SPACE).junior(3, MemberReasons.NO_SPACE));
        put("the first NameNode of a new cluster is alone", Group::isNew);
        put(
                "ZooKeeper is out of reach",
                group -> group.bean(1, Group::cutOff).bean(2, Group::cutOff).bean(3, Group::cutOff));
        put("one NameNode does not reach ZooKeeper", group -> group.bean(3, Group::cutOff));
        put(
                "the active is gone, and ZooKeeper too",
                group -> group.gone(1).bean(2, Group::cutOff).bean(3, Group::cutOff));
        put("a standby is drained", group -> group.drained("nn3"));
        put("the active is drained", group -> group.drained("nn1"));
        put("a drained host is needed", group -> group.drained("nn2").gone(3));
        put("a pool node's disk hangs", group -> group.status(3, status -> status.diskSilent(9_000)));
        put("a pool node's disk hangs for long", group -> group.junior(3, MemberReasons.DISK_SILENT + "30000 ms")
                .status(3, status -> status.diskSilent(61_000)));
        put("a pool node failed", group -> group.answer(3, FailedReply.of(NodeId.of("id3"), "segment 40 is damaged")));
        put("a pool node refetches", group -> group.junior(3, MemberReasons.REPLICA_BEHIND)
                .writer(3, 4711)
                .answer(3, Group.status(3, LogCompleteness.REFETCHING)));
        put("a pool node lost its disk", group -> group.answer(3, NotFormattedReply.of(NodeId.of("id3"))));
        put("no standby can apply an edit", group -> group.ended(2)
                .ended(3)
                .status(2, status -> status.unapplied(POISON))
                .status(3, status -> status.unapplied(POISON)));
        put("the journal has two voters", Group::ofTwoVoters);
    }

    private static void put(String name, Consumer<Group> happens) {
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
                    + cell(verdict.at("/findings/0/advice").asText()) + " | "
                    + EXIT_CODES.get(verdict.path("level").asText()) + " |");
        });

        assertThat(rows).hasSizeGreaterThanOrEqualTo(30);
        assertThat(String.join("\n", Files.readAllLines(PAGE))).contains(String.join("\n", rows));
    }

    private static String cell(String advice) {
        return advice.isEmpty() ? "–" : advice;
    }

    @Test
    void poolStateIsOfNewestWriterWhenTwoAreActive() {
        JsonNode findings = new Group().former(3).document().at("/verdict/findings");

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
                    .junior(3, reason)
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

        static void cutOff(ObjectNode bean) {
            bean.put("ViewCurrent", false);
        }

        private static NodeAddress address(int number) {
            return NodeAddress.of("host" + number, 8487);
        }

        Group bean(int number, Consumer<ObjectNode> change) {
            change.accept(beans[number]);
            return this;
        }

        Group junior(int number, String reason) {
            return bean(number, bean -> bean.put("State", "JUNIOR").put("Reason", reason));
        }

        /** What else a NameNode's page /jmx has, which has no bean of ours. */
        Group jmx(int number, Map<String, String> pages) {
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

        Group noPage(int number) {
            members.put("nn" + number, GroupBean.silent("does not answer: Read timed out"));
            return this;
        }

        /** Its pool node runs in its place. */
        Group ended(int number) {
            members.put("nn" + number, GroupBean.silent("does not answer: Connection refused"));
            return this;
        }

        Group gone(int number) {
            ended(number);
            nodes.put(address(number), NodeAnswer.silent("Connection refused"));
            return this;
        }

        Group silent(int number) {
            nodes.put(address(number), NodeAnswer.silent("no answer in 2000 ms"));
            return noPage(number);
        }

        Group writer(int number, long lag) {
            ((ObjectNode) details.withArray("nodes").get(number - 1))
                    .put("inSync", false)
                    .put("lagEntries", lag);
            return this;
        }

        /** It does not know that another writes, and reaches no pool node. */
        Group former(int number) {
            former = number;
            return bean(number, bean -> bean.put("State", "ACTIVE").put("Epoch", EPOCH.number() - 1))
                    .bean(1, bean -> bean.put("Epoch", EPOCH.number()));
        }

        Group leased() {
            for (int number = 1; number <= 3; number++) {
                nodes.put(address(number), NodeAnswer.replied(status(number, LogCompleteness.COMPLETE, 3, 4_000)));
            }
            return this;
        }

        Group drained(String nameNode) {
            view.with("orders").withArray("drained").addObject().put("nameNode", nameNode);
            return this;
        }

        Group answer(int number, PoolReply reply) {
            nodes.put(address(number), NodeAnswer.replied(reply));
            return this;
        }

        Group status(int number, UnaryOperator<StatusReply> change) {
            return answer(number, change.apply(status(number, LogCompleteness.COMPLETE)));
        }

        Group isNew() {
            voters = 1;
            gone(2).gone(3).answer(1, status(1, LogCompleteness.COMPLETE, 1, 0));
            return bean(1, bean -> bean.put("State", "STANDBY").put("Stage", "ACQUIRING_EPOCH"));
        }

        Group ofTwoVoters() {
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
                                NodeAnswer.replied(status(number, LogCompleteness.COMPLETE, voters, 0))));
            }
            return new StatusDocument(
                            "ns1",
                            addresses,
                            answers,
                            new PoolStatusQueries.Answers(replies, Map.of()),
                            ConfiguredSites.of(new Configuration(false), "ns1"))
                    .json(5_000);
        }
    }
}

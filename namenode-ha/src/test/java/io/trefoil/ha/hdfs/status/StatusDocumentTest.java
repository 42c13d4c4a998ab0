/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.ha.hdfs.config.ConfiguredSites;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.protocol.StatusReply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of the answers of three NameNodes and their pool nodes. */
class StatusDocumentTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Epoch EPOCH = Epoch.of(7);
    private static final String HISTORY =
            "[{\"ballot\":2,\"from\":\"nn2\",\"to\":\"nn1\",\"detectedAt\":1000,\"announcedAfterMs\":104}]";

    private final Configuration conf = new Configuration(false);
    private final Map<String, String> addresses = new LinkedHashMap<>();
    private final Map<String, GroupBean> members = new LinkedHashMap<>();
    private final Map<NodeAddress, NodeAnswer> nodes = new LinkedHashMap<>();
    private Optional<Optional<StoreStatus>> store = Optional.empty();

    @BeforeEach
    void answerAll() {
        for (int number = 1; number <= 3; number++) {
            addresses.put("nn" + number, "h" + number + ":9870");
            members.put("nn" + number, answer(number, number == 1 ? "ACTIVE" : "STANDBY", 2));
            nodes.put(address(number), NodeAnswer.ofReply(status(number, 12)));
        }
    }

    @Test
    void showsHistoryOfActive() {
        assertThat(document().at("/hour/commits/0").asInt()).isEqualTo(4);
        members.put("nn1", GroupBean.silent("Connection refused"));

        assertThat(document().path("hour").isNull()).isTrue();
    }

    private static NodeAddress address(int number) {
        return NodeAddress.of("h" + number, 8487);
    }

    private static GroupBean answer(int number, String state, long ballot) {
        ObjectNode view = JSON.createObjectNode().put("ballot", ballot);
        view.putObject("lock").put("holder", "nn1").put("epoch", 7).put("takingOver", false);
        for (int each = 1; each <= 3; each++) {
            view.withArray("members")
                    .addObject()
                    .put("name", "nn" + each)
                    .put("state", each == 1 ? "ACTIVE" : "STANDBY")
                    .put("txId", 40 + each)
                    .put("pool", address(each).toString())
                    .put("version", "9");
        }
        ObjectNode details = JSON.createObjectNode().put("warmUp", "done").put("diskP99Micros", 100 * number);
        if (state.equals("ACTIVE")) {
            for (int each = 1; each <= 3; each++) {
                details.withArray("nodes")
                        .addObject()
                        .put("address", address(each).toString())
                        .put("inSync", each != 3)
                        .put("lagEntries", each == 3 ? 5 : 0);
            }
            details.putObject("hour")
                    .put("everySeconds", 10)
                    .putArray("commits")
                    .add(4);
        }
        details.withArray("settings").addObject().put("name", "trefoil.a").put("value", number == 3 ? "2" : "1");
        return GroupBean.read(JSON.createObjectNode()
                .put("State", state)
                .put("Role", state)
                .put("Stage", state.equals("ACTIVE") ? "SERVING" : "FOLLOWING")
                .put("TxId", 42)
                .put("ViewCurrent", true)
                .put("View", view.toString())
                .put("History", HISTORY)
                .put("Details", details.toString()));
    }

    private static StatusReply status(int number, long end) {
        List<Member> voters = new ArrayList<>();
        for (int each = 1; each <= 3; each++) {
            voters.add(Member.voter(NodeId.of("id" + each), address(each)));
        }
        LogSummary log = LogSummary.of(
                        LogPosition.of(EPOCH, end), Members.of(voters), 42, Optional.empty(), Optional.empty())
                .with(Barriers.of(List.of(
                        Barrier.of("nightly.7f3a9c12", 40, 30, ""),
                        Pin.ofOperator(41, 31, Optional.empty()).barrier())));
        return StatusReply.of(
                NodeId.of("id" + number),
                NamespaceId.of("CID-1", 7),
                Promise.of(EPOCH, WriterId.of("nn1"), 5_000),
                log,
                log,
                1,
                LogCompleteness.COMPLETE,
                0);
    }

    private JsonNode document() {
        return new StatusDocument(
                        "ns1",
                        addresses,
                        members,
                        new PoolStatusClient.Answers(nodes, Map.of()),
                        store,
                        ConfiguredSites.of(conf, "ns1"))
                .json(5_000);
    }

    @Test
    void ledgersShowBookiesAndWhatMayBeLost() {
        members.put("nn1", answer(1, "ACTIVE", 2));
        members.put("nn2", answer(2, "STANDBY", 2));
        nodes.clear();
        store = Optional.of(Optional.of(StoreStatus.of(
                EPOCH,
                LogSummary.ORIGIN,
                List.of("b1:3181", "b2:3181", "b4:3181"),
                List.of(StoreStatus.Ledger.of(17, 5, List.of("b1:3181", "b2:3181", "b3:3181"), 2)))));

        JsonNode document = document();

        assertThat(document.at("/verdict/sentence").asText())
                .contains("nn1 is active")
                .contains("may lose one more");
        assertThat(document.at("/pool/majority").asInt()).isZero();
        assertThat(document.at("/ledgers/mayLose").asInt()).isEqualTo(1);
        assertThat(document.at("/ledgers/list/0/ledger").asLong()).isEqualTo(17);
        assertThat(document.at("/ledgers/list/0/bookies")).hasSize(3);
        assertThat(document.at("/ledgers/list/0/missing/0").asText()).isEqualTo("b3:3181");
    }

    @Test
    void reportsWaitingClientsWhenStoreIsUnresponsive() {
        members.put("nn1", answer(1, "ACTIVE", 2));
        nodes.clear();
        store = Optional.of(Optional.empty());

        assertThat(document().at("/verdict/sentence").asText())
                .startsWith("down")
                .contains("too few servers");
        assertThat(document().at("/ledgers").isNull()).isTrue();
    }

    @Test
    void nodeKeepsNameOfNameNodeMissingFromView() {
        members.put("nn1", withoutThird(answer(1, "ACTIVE", 2)));
        members.put("nn2", withoutThird(answer(2, "STANDBY", 2)));
        members.put("nn3", GroupBean.silent("does not answer"));
        nodes.put(address(3), NodeAnswer.ofFailure("refused"));

        assertThat(document().at("/pool/nodes").findValuesAsText("nameNode")).containsExactly("nn1", "nn2", "nn3");

        // Which of two on one host it is, is not known.
        addresses.put("nn4", "h3:9871");
        assertThat(document().at("/pool/nodes").findValuesAsText("nameNode")).containsExactly("nn1", "nn2", "");
    }

    private static GroupBean withoutThird(GroupBean answer) {
        ObjectNode view = (ObjectNode) answer.document("View");
        view.withArray("members").remove(2);
        return GroupBean.read(((ObjectNode) answer.bean()).put("View", view.toString()));
    }

    @Test
    void poolNodeTakesSiteOfNameNodeUnlessConfigured() {
        assertThat(document().at("/pool/nodes").findValuesAsText("site")).containsOnly("");

        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2,nn3");
        for (int number = 1; number <= 3; number++) {
            conf.set("dfs.namenode.rpc-address.ns1.nn" + number, "h" + number + ":8020");
        }
        conf.set("trefoil.ha.site.ns1.nn1", "west");
        conf.set("trefoil.ha.site.ns1.nn2", "west");
        conf.set("trefoil.ha.pool.sites", "h3:8487=east");
        assertThat(document().at("/pool/nodes").findValuesAsText("site")).containsExactly("west", "west", "east");
        assertThat(document().at("/members").findValuesAsText("site")).containsExactly("west", "west", "");

        // The configuration of this host is older than what nn2 shows.
        members.put("nn1", withSiteAt(answer(1, "ACTIVE", 2), 1, "east"));
        assertThat(document().at("/pool/nodes").findValuesAsText("site")).containsExactly("west", "east", "east");
        assertThat(document().at("/verdict/findings").findValuesAsText("what"))
                .contains("the voters are in 2 sites (east 2, west 1), and the loss of east stops the journal");
    }

    private static GroupBean withSiteAt(GroupBean answer, int index, String site) {
        ObjectNode view = (ObjectNode) answer.document("View");
        ((ObjectNode) view.withArray("members").get(index)).put("site", site);
        return GroupBean.read(((ObjectNode) answer.bean()).put("View", view.toString()));
    }

    @Test
    void writerReportOnNodeAppearsInRowAndVerdict() {
        JsonNode document = document();

        assertThat(document.at("/verdict/sentence").asText())
                .isEqualTo("degraded: pool node h3:8487 of nn3 is not in sync and lacks 5 entries; may lose no more"
                        + " nodes");
        assertThat(document.at("/pool/nodes/2/inSync").asBoolean()).isFalse();
        assertThat(document.at("/pool/nodes/2/nameNode").asText()).isEqualTo("nn3");
        assertThat(document.at("/pool/nodes/2/diskP99Micros").asLong()).isEqualTo(300);
        assertThat(document.at("/pool/nodes/2/kind").asText()).isEqualTo("voter");
        assertThat(document.at("/pool/votersServing").asInt()).isEqualTo(3);
    }

    @Test
    void unresponsiveNameNodeShowsNoStateFromView() {
        members.put("nn1", GroupBean.silent("does not answer: Connection refused"));

        JsonNode silent = document().at("/members/0");

        assertThat(silent.path("answered").asBoolean()).isFalse();
        assertThat(silent.path("state").asText()).isEmpty();
        assertThat(silent.path("txId").asLong()).isEqualTo(41);
        assertThat(document().at("/verdict/level").asText()).isEqualTo("down");
    }

    @Test
    void syncStateIsUnknownWithoutWriter() {
        members.put("nn1", GroupBean.silent("does not answer"));
        nodes.put(address(1), NodeAnswer.ofFailure("no answer in 2000 ms"));

        JsonNode node = document().at("/pool/nodes/0");

        assertThat(node.path("state").asText()).isEqualTo("down");
        assertThat(node.path("trouble").asText()).isEqualTo("no answer in 2000 ms");
        assertThat(node.path("inSync").isNull()).isTrue();
        assertThat(node.path("epoch").isNull()).isTrue();
    }

    @Test
    void laggingNodeShowsLag() {
        nodes.put(address(2), NodeAnswer.ofReply(status(2, 10)));

        assertThat(document().at("/pool/nodes/1/lag").asLong()).isEqualTo(2);
        assertThat(document().at("/pool/committed").asLong()).isEqualTo(12);
    }

    @Test
    void viewWithLatestBallotWins() {
        members.put("nn2", answer(2, "STANDBY", 9));

        assertThat(document().path("ballot").asLong()).isEqualTo(9);
    }

    @Test
    void distinguishesCheckpointsFromPins() {
        JsonNode document = document();

        assertThat(document.at("/checkpoints/0/name").asText()).isEqualTo("nightly.7f3a9c12");
        assertThat(document.path("checkpoints")).hasSize(1);
        assertThat(document.at("/pins/0/name").asText()).isEqualTo("pin-41");
        assertThat(document.at("/pins/0/until").isNull()).isTrue();
    }

    @Test
    void settingHasOneRowPerValue() {
        JsonNode settings = document().path("settings");

        assertThat(settings).hasSize(2);
        assertThat(settings.get(0).path("nameNodes").toString()).isEqualTo("[\"nn1\",\"nn2\"]");
        assertThat(settings.get(1).path("nameNodes").toString()).isEqualTo("[\"nn3\"]");
    }

    @Test
    void forwardingNameNodeReportsCallCounts() {
        members.put("nn2", withForwardingCounts(answer(2, "STANDBY", 2)));

        assertThat(document().at("/members/1/forwarding/waiting").asLong()).isEqualTo(3);
        assertThat(document().at("/members/0/forwarding").isNull()).isTrue();
    }

    private static GroupBean withForwardingCounts(GroupBean answer) {
        ObjectNode details = (ObjectNode) answer.document("Details");
        details.putObject("forwarding")
                .put("forwarded", 100)
                .put("answered", 95)
                .put("waiting", 3);
        return GroupBean.read(((ObjectNode) answer.bean()).put("Details", details.toString()));
    }

    @Test
    void documentContainsLastFailovers() {
        assertThat(document().at("/failovers/0/to").asText()).isEqualTo("nn1");
    }
}

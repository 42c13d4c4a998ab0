/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.archive.group.ArchivingMember;
import io.trefoil.checkpoint.coordinator.CheckpointOutcome;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Grant;
import io.trefoil.checkpoint.model.TestManifests;
import io.trefoil.checkpoint.participant.ParticipantState;
import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.GoldenFiles;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.Progress;
import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.hdfs.OrderAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Orders between NameNodes, and from the command to them, of this version and of all releases. */
class PluginOrdersTest {
    private static final String FILE = "orders/checkpoints";
    private static final CheckpointId ID = TestManifests.MADE.agreement().id();
    private static final Agreement AGREEMENT = Agreement.of(ID, 1_000, 7, "ns1", List.of("ns1", "ns2"));
    private static final Cut CUT = Cut.builder()
            .nameservice("ns1")
            .nameNode("nn1")
            .txId(10)
            .imageTxId(4)
            .files(2)
            .blocks(1)
            .waitedMicros(5)
            .cutMicros(6)
            .frozenMicros(7)
            .snapshot(Optional.of("checkpoint-" + ID))
            .build();
    private static final ArchivingMember MEMBER = ArchivingMember.builder("nn1")
            .active(true)
            .archiving(true)
            .failing(true)
            .lagMillis(12)
            .build();

    private final Configuration conf = new Configuration(false);

    @BeforeEach
    void configure() throws IOException {
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
        conf.set("dfs.namenode.rpc-address.ns1.nn1", "localhost:8020");
        conf.set("dfs.namenode.rpc-address.ns1.nn2", "localhost:8021");
        conf.set("dfs.namenode.shared.edits.dir", "ssp://localhost/ns1");
        conf.setInt("trefoil.checkpoint.port.ns1.nn1", TestPorts.free());
        // No process listens there.
        conf.set("trefoil.checkpoint.port.ns1.nn2", "1");
    }

    /** Gives every order over the wire, and returns what the answers mean. */
    private List<String> giveAllOrders(PluginService.Orders receiver) throws IOException {
        Configuration server = new Configuration(conf);
        server.set("dfs.nameservice.id", "ns1");
        server.set("dfs.ha.namenode.id", "nn1");
        OrderAccess access = OrderAccess.forOwnPort(
                server, new AuditLog(), new ServiceAuthorizationManager(), GenericRefreshProtocol.class);
        InetSocketAddress nameNode = new InetSocketAddress(InetAddress.getByName("localhost"), 8020);
        HdfsCheckpoints checkpoints = new HdfsCheckpoints(conf, Progress.SILENT);
        FreezeOrder freeze = FreezeOrder.of(ID, 10_000, true);
        Duration timeout = Duration.ofSeconds(30);
        List<Object> results = new ArrayList<>();
        try (PluginService service = new PluginService(server, nameNode, access, receiver);
                RemoteParticipants participants = new RemoteParticipants(conf, timeout);
                RemoteArchivers archivers = new RemoteArchivers(conf, "ns1", "nn2", () -> false);
                PluginClient client = new PluginClient(
                        conf,
                        new InetSocketAddress("localhost", conf.getInt("trefoil.checkpoint.port.ns1.nn1", 0)),
                        timeout)) {
            participants.prepare("ns1", freeze);
            results.add(participants.clock("ns1"));
            Grant grant = participants.freeze("ns1", freeze);
            results.add(grant);
            results.add(participants.cut("ns1", grant, AGREEMENT));
            participants.abandon("ns1", ID);
            results.add(HdfsCheckpoints.awaitVerified(client, ID));
            results.add(checkpoints.snapshots());
            results.addAll(archivers.queryOthers());
            JsonNode made = checkpoints.create(ID, Set.of("ns1"), true);
            results.add(made.path("outcome").asText());
            for (JsonNode manifest : made.path("manifests")) {
                results.add(CheckpointJson.parseManifest(manifest));
            }
            checkpoints.delete(ID, "ns1");
        }
        return results.stream().map(Object::toString).toList();
    }

    @Test
    void ordersOfAllReleasesAreUnderstood() throws Exception {
        RecordingPlugin today = new RecordingPlugin();
        Set<String> exchanges = new LinkedHashSet<>();
        List<String> results = giveAllOrders((order, arguments) -> {
            JsonNode answer = new PluginOrders(today).carryOut(order, arguments);
            exchanges.add(order + '\t' + withoutVariation(arguments) + '\t' + withoutVariation(answer));
            return answer;
        });
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease(FILE, String.join("\n", exchanges) + "\n");

        for (String release : golden.readAllReleasesAsText(FILE).values()) {
            RecordingPlugin plugin = new RecordingPlugin();
            for (String line : release.split("\n")) {
                String[] parts = line.split("\t");
                new PluginOrders(plugin).carryOut(parts[0], CheckpointJson.parse(parts[1]));
            }
            assertThat(new LinkedHashSet<>(plugin.done))
                    .as("what an older version orders")
                    .isEqualTo(new LinkedHashSet<>(today.done));
            assertThat(giveAllOrders(replay(release)))
                    .as("what a NameNode of that version answers, and a newer one with more in it")
                    .isEqualTo(results);
        }
    }

    /** The id of a question is another one each time, and so may the milliseconds be that a checkpoint took. */
    private static JsonNode withoutVariation(JsonNode object) {
        ObjectNode fixed = object.deepCopy();
        if (fixed.has("asking")) {
            fixed.put("asking", "1");
        }
        return fixed.has("outcome") ? fixed.put("millis", 12) : fixed;
    }

    /** Answers in order, each order by itself; the last answer remains. */
    private static PluginService.Orders replay(String release) {
        List<String> lines = new ArrayList<>(Arrays.asList(release.split("\n")));
        return (order, arguments) -> {
            List<String> left =
                    lines.stream().filter(line -> line.startsWith(order + "\t")).toList();
            if (left.size() > 1) {
                lines.remove(left.get(0));
            }
            return ((ObjectNode) CheckpointJson.parse(left.get(0).split("\t")[2])).put("later", 1);
        };
    }

    @Test
    void refusesOrderWithUnknownOrMissingArgument() throws Exception {
        RecordingPlugin plugin = new RecordingPlugin();
        PluginOrders orders = new PluginOrders(plugin);
        for (String line : newestRelease().split("\n")) {
            String order = line.split("\t")[0];
            ObjectNode arguments = (ObjectNode) CheckpointJson.parse(line.split("\t")[1]);
            for (Iterator<String> names = arguments.fieldNames(); names.hasNext(); ) {
                ObjectNode less = arguments.deepCopy();
                less.remove(names.next());
                assertThatThrownBy(() -> orders.carryOut(order, less))
                        .isInstanceOf(OrderRefusedException.class)
                        .hasMessageContaining("lacks");
            }
            assertThatThrownBy(() -> orders.carryOut(order, arguments.put("later", 1)))
                    .isInstanceOf(OrderRefusedException.class)
                    .hasMessageContaining("'later'")
                    .hasMessageContaining("newer version");
        }
        assertThatThrownBy(() -> orders.carryOut("thaw", CheckpointJson.object()))
                .isInstanceOf(OrderRefusedException.class)
                .hasMessageContaining("No such order: thaw");
        assertThat(plugin.done).isEmpty();
    }

    private static String newestRelease() throws IOException {
        return GoldenFiles.forCurrentModule().readAllReleasesAsText(FILE).values().stream()
                .reduce((older, newer) -> newer)
                .orElseThrow();
    }

    @Test
    void refusesArgumentsThatCannotBeRead() {
        PluginOrders orders = new PluginOrders(new RecordingPlugin());
        for (String[] one : new String[][] {
            {PluginOrders.ABANDON, "{\"id\":\"nightly\"}"},
            {PluginOrders.FREEZE, "{\"id\":\"" + ID + "\",\"holdMillis\":0,\"protectData\":true}"},
            {PluginOrders.CUT, "{\"grant\":\"none\",\"agreement\":{}}"},
            {PluginOrders.CUT, "{\"grant\":\"a/1\",\"agreement\":{}}"}
        }) {
            assertThatThrownBy(() -> orders.carryOut(one[0], CheckpointJson.parse(one[1])))
                    .as(one[1])
                    .isInstanceOf(OrderRefusedException.class);
        }
    }

    @Test
    void rejectsAnswerWithoutRequiredField() {
        assertThatThrownBy(() -> PluginOrders.parseClock(CheckpointJson.object()))
                .hasMessageContaining("without 'millis'");
        assertThatThrownBy(() -> PluginOrders.parseGrant(CheckpointJson.object()))
                .hasMessageContaining("without 'grant'");
        assertThatThrownBy(() -> PluginOrders.parseGrant(CheckpointJson.object().put("grant", "none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Not a grant");
    }

    /** Notes what it is told to do, in the words of this version. */
    private static final class RecordingPlugin implements PluginOrders.Plugin {
        private final List<String> done = new CopyOnWriteArrayList<>();

        private <T> T note(T answer, Object... details) {
            done.add(Arrays.toString(details));
            return answer;
        }

        @Override
        public ObjectNode status() {
            return note(PluginOrders.statusJson("ns1", "nn1", true, ParticipantState.begin("1")), "status");
        }

        @Override
        public long clock() {
            return note(1_700_000_000_000L, "clock");
        }

        @Override
        public void prepare(FreezeOrder order) {
            note("", "prepare", order);
        }

        @Override
        public Grant freeze(FreezeOrder order) {
            return note(Grant.of("nn1-a", 3), "freeze", order);
        }

        @Override
        public Cut cut(Grant grant, Agreement agreement) {
            return note(CUT, "cut", grant, agreement);
        }

        @Override
        public CheckpointId abandon(CheckpointId id) {
            return note(id, "abandon", id);
        }

        @Override
        public Optional<Long> verify(CheckpointId id, String requester) {
            // Read to its end when it is asked about for the second time.
            boolean isRead = done.contains("[verify, " + id + "]");
            return note(isRead ? Optional.of(4L) : Optional.<Long>empty(), "verify", id);
        }

        @Override
        public Map<CheckpointId, Duration> snapshots() {
            return note(Map.of(ID, Duration.ofMillis(12)), "snapshots");
        }

        @Override
        public ArchivingMember archive() {
            return note(MEMBER, "archive");
        }

        @Override
        public CheckpointOutcome create(CheckpointId id, Set<String> nameservices, boolean protectData) {
            Checkpoint whole = Checkpoint.assemble(List.of(TestManifests.MADE)).get(0);
            return note(
                    CheckpointOutcome.of(
                            CheckpointOutcome.Kind.COMPLETE,
                            "",
                            Optional.of(whole),
                            Optional.of(TestManifests.MADE.agreement())),
                    "create",
                    id,
                    nameservices,
                    protectData);
        }
    }
}

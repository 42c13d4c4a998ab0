/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.ha.hdfs.config.ConfiguredSites;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.status.Finding;
import io.trefoil.ha.status.GroupObservation;
import io.trefoil.ha.status.MemberObservation;
import io.trefoil.ha.status.NodeObservation;
import io.trefoil.ha.status.Verdict;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Pin;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.StatusReply;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state of a nameservice as the JSON document that the page {@code /trefoil} and {@code hdfs trefoil status --json}
 * show ({@code docs/operating/web-page.md}): the answers of its NameNodes and pool nodes, and the verdict.
 */
final class StatusDocument {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The number of listed failovers, each of which the page shows as a bar. */
    private static final int FAILOVERS = 10;

    private final String nameservice;
    private final Map<String, String> webAddresses;
    private final Map<String, GroupBean> members;
    private final PoolStatusClient.Answers pool;
    /** The report of the store of a journal that no pool keeps; empty if a pool keeps it, or the store does not answer. */
    private final Optional<Optional<StoreStatus>> store;

    private final ConfiguredSites sites;
    /** The newest view among the NameNodes. */
    private final JsonNode view;

    private final JsonNode history;
    /** The writer's report about each node, by address; empty if there is no writer. */
    private final Map<String, JsonNode> writersNodes = new TreeMap<>();
    /** The NameNode that each pool node belongs to, by the node's address. */
    private final Map<String, String> owners = new TreeMap<>();

    private final List<NodeObservation> seenNodes = new ArrayList<>();

    StatusDocument(
            String nameservice,
            Map<String, String> webAddresses,
            Map<String, GroupBean> members,
            PoolStatusClient.Answers pool,
            Optional<Optional<StoreStatus>> store,
            ConfiguredSites sites) {
        this.nameservice = nameservice;
        this.webAddresses = webAddresses;
        this.members = members;
        this.pool = pool;
        this.store = store;
        this.sites = sites;
        GroupBean newest = newest();
        view = newest.document("View");
        history = newest.document("History");
        // Of two that call themselves active, the one with the higher epoch writes; it comes last and counts.
        members.values().stream()
                .sorted(Comparator.comparingLong(StatusDocument::epoch))
                .forEach(answer -> answer.document("Details")
                        .path("nodes")
                        .forEach(node -> writersNodes.put(node.path("address").asText(), node)));
        for (JsonNode member : view.path("members")) {
            if (!member.path("pool").asText().isEmpty()) {
                owners.put(member.path("pool").asText(), member.path("name").asText());
            }
        }
        addMissingOwners();
        pool.statuses().forEach((address, answer) -> seenNodes.add(observe(address, answer)));
    }

    /**
     * Adds the owners of pool nodes whose NameNode is down. Such a NameNode is not in the view, and its pool node is
     * down with it, which is just when an operator wants to know whose node it is. The configuration says so, if no two
     * NameNodes share the host.
     */
    private void addMissingOwners() {
        Map<String, List<String>> namesByHost = new TreeMap<>();
        webAddresses.forEach((name, address) -> namesByHost
                .computeIfAbsent(host(address), unused -> new ArrayList<>())
                .add(name));
        for (NodeAddress address : pool.statuses().keySet()) {
            List<String> names = namesByHost.getOrDefault(host(address.toString()), Collections.emptyList());
            if (names.size() == 1 && !owners.containsValue(names.get(0))) {
                owners.putIfAbsent(address.toString(), names.get(0));
            }
        }
    }

    private static String host(String address) {
        return address.substring(0, address.lastIndexOf(':'));
    }

    /** The answer of a NameNode that can reach ZooKeeper, else the one with the latest ballot. */
    private GroupBean newest() {
        GroupBean best = GroupBean.silent("no NameNode answers");
        long bestRank = -1;
        for (GroupBean answer : members.values()) {
            long ballot = answer.document("View").path("ballot").asLong(-1);
            long rank = 2 * ballot + (answer.bean().path("ViewCurrent").asBoolean() ? 1 : 0);
            if (rank > bestRank) {
                best = answer;
                bestRank = rank;
            }
        }
        return best;
    }

    private NodeObservation observe(NodeAddress address, NodeAnswer answer) {
        NodeObservation.Builder node = NodeObservation.builder()
                .address(address.toString())
                .owner(owners.getOrDefault(address.toString(), ""))
                .site(site(address.toString()))
                .kind(pool.committed().members().findByAddress(address).map(Member::role));
        JsonNode writers = writersNodes.get(address.toString());
        if (writers != null) {
            node.inSync(Optional.of(writers.path("inSync").asBoolean()))
                    .lagEntries(writers.path("lagEntries").asLong());
        }
        if (!answer.reply().isPresent()) {
            return node.state(NodeObservation.State.DOWN)
                    .details(answer.failureReason())
                    .build();
        }
        if (answer.reply().get() instanceof NotFormattedReply) {
            return node.state(NodeObservation.State.NOT_FORMATTED).build();
        }
        if (!(answer.reply().get() instanceof StatusReply)) {
            return node.state(NodeObservation.State.FAILED)
                    .details(answer.reply().get().describe())
                    .build();
        }
        StatusReply status = (StatusReply) answer.reply().get();
        if (!status.end().hasSameIncarnation(pool.committed())) {
            return node.state(NodeObservation.State.FAILED)
                    .details(foreignIncarnationDetails(
                            status.end().incarnation(), pool.committed().incarnation()))
                    .build();
        }
        return node.state(
                        status.completeness() == LogCompleteness.COMPLETE
                                ? NodeObservation.State.SERVES
                                : NodeObservation.State.REFETCHING)
                .leased(status.leaseHeldMillis() > 0)
                .diskSilentMillis(status.diskStallMillis())
                .unapplied(status.unappliedEdit())
                .build();
    }

    private static String foreignIncarnationDetails(Incarnation held, Incarnation inForce) {
        return "holds incarnation " + held + " of the journal"
                + (held.isAbove(inForce)
                        ? ", newer than " + inForce + ", which is in force: it was formatted again, perhaps there alone"
                        : ", and " + inForce + " is in force")
                + "; 'hdfs trefoil journal status' says what to do";
    }

    /** The site of a pool node: the one configured for the node itself, else that of the NameNode in whose process it runs. */
    private String site(String address) {
        String own = sites.siteOfNode(address);
        return own.isEmpty() ? siteOfNameNode(owners.getOrDefault(address, "")) : own;
    }

    /** The site of a NameNode: the value that it reports takes precedence, because other hosts may have different files. */
    private String siteOfNameNode(String name) {
        String shows = memberInView(name).path("site").asText();
        return shows.isEmpty() ? sites.siteOfNameNode(name) : shows;
    }

    private MemberObservation observe(String name, GroupBean answer) {
        if (!answer.failureReason().isEmpty()) {
            return MemberObservation.silent(name, answer.failureReason(), answer.failover())
                    .withDrained(isDrained(name));
        }
        JsonNode bean = answer.bean();
        return MemberObservation.builder()
                .name(name)
                .state(state(bean.path("State").asText()))
                .reason(bean.path("Reason").asText())
                .electable(isElectable(name))
                .drained(isDrained(name))
                .changing(isChanging(bean.path("Stage").asText()))
                .zooKeeperReachable(bean.path("ViewCurrent").asBoolean())
                .build();
    }

    private static Optional<MemberState> state(String name) {
        for (MemberState state : MemberState.values()) {
            if (state.name().equals(name)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }

    private static boolean isChanging(String stage) {
        return !stage.equals("FOLLOWING") && !stage.equals("SERVING") && !stage.isEmpty();
    }

    Verdict verdict() {
        List<MemberObservation> seenMembers = new ArrayList<>();
        members.forEach((name, answer) -> seenMembers.add(observe(name, answer)));
        return Verdict.of(group(seenMembers));
    }

    private GroupObservation group(List<MemberObservation> seenMembers) {
        GroupObservation group = GroupObservation.of(seenMembers, seenNodes);
        return store.isPresent()
                ? group.withStore(
                        store.get().map(StoreStatus::toleratedFailures).orElse(-1))
                : group;
    }

    /** @param askedAtMillis when the survey began, in milliseconds since 1970 */
    ObjectNode json(long askedAtMillis) {
        ObjectNode document = JSON.createObjectNode();
        document.put("nameservice", nameservice).put("askedAt", askedAtMillis);
        add(document.putObject("verdict"), verdict());
        document.set(
                "lock",
                view.path("lock").isMissingNode() ? JSON.getNodeFactory().nullNode() : view.path("lock"));
        document.put("ballot", view.path("ballot").asLong());
        ArrayNode memberList = document.putArray("members");
        members.forEach((name, answer) -> addMember(memberList.addObject(), name, answer, askedAtMillis));
        document.set("orders", orNull(view.path("orders")));
        addPool(document.putObject("pool"));
        document.set(
                "ledgers",
                store.flatMap(found -> found).map(StatusDocument::ledgers).orElse(null));
        document.set("hour", orNull(lastHour()));
        ArrayNode failovers = document.putArray("failovers");
        for (int i = Math.max(0, history.size() - FAILOVERS); i < history.size(); i++) {
            failovers.add(history.get(i));
        }
        addBarriers(document.putArray("checkpoints"), document.putArray("pins"));
        addImages(document.putArray("images"));
        addSettings(document.putArray("settings"));
        return document;
    }

    /** The last hour as reported by the active; missing if none answers, or it was not a writer in that hour. */
    private JsonNode lastHour() {
        return members.values().stream()
                .filter(answer -> lowerCaseText(answer.bean().path("State")).equals("active"))
                .max(Comparator.comparingLong(StatusDocument::epoch))
                .map(active -> active.document("Details").path("hour"))
                .orElse(MissingNode.getInstance());
    }

    private static long epoch(GroupBean answer) {
        return answer.bean().path("Epoch").asLong();
    }

    private static void add(ObjectNode object, Verdict verdict) {
        object.put("level", verdict.level().label())
                .put("sentence", verdict.sentence())
                .put("mayLose", verdict.toleratedFailures());
        ArrayNode findings = object.putArray("findings");
        for (Finding finding : verdict.findings()) {
            findings.addObject().put("what", finding.problem()).put("advice", finding.advice());
        }
    }

    private void addMember(ObjectNode object, String name, GroupBean answer, long askedAtMillis) {
        JsonNode bean = answer.bean();
        JsonNode details = answer.document("Details");
        JsonNode shown = memberInView(name);
        boolean answered = answer.failureReason().isEmpty();
        // The view may still show a silent NameNode as the active; its last progress is worth knowing, its last state
        // is not.
        object.put("name", name)
                .put("http", webAddresses.getOrDefault(name, shown.path("http").asText()))
                .put("answered", answered)
                .put("trouble", answer.failureReason())
                .put("state", lowerCaseText(bean.path("State")))
                .put("role", lowerCaseText(bean.path("Role")))
                .put("electable", isElectable(name))
                .put("drained", isDrained(name))
                .put("preferred", isPreferred(name, askedAtMillis))
                .put("preparing", shown.path("preparing").asBoolean())
                .put(
                        "poolNodeNeeded",
                        GroupObservation.of(new ArrayList<>(), seenNodes).isPoolNodeNeeded(name))
                .put("priority", shown.path("priority").asInt())
                .put("site", siteOfNameNode(name))
                .put("reason", bean.path("Reason").asText())
                .put("since", bean.path("Since").asLong())
                .put("changing", answered && isChanging(bean.path("Stage").asText()))
                .put("txId", (answered ? bean.path("TxId") : shown.path("txId")).asLong())
                .put("lag", (answered ? bean.path("Lag") : shown.path("lag")).asLong())
                .put("lagMillis", (answered ? bean.path("LagMillis") : shown.path("lagMillis")).asLong())
                .put("epoch", (answered ? bean.path("Epoch") : shown.path("epoch")).asLong())
                .put("zooKeeper", bean.path("ViewCurrent").asBoolean())
                .put("version", shown.path("version").asText());
        object.set("leaseMillis", orNull(details.path("leaseMillis")));
        object.set("derivedLeaseMillis", orNull(details.path("derivedLeaseMillis")));
        object.set("derivedLeaseReason", orNull(details.path("derivedLeaseReason")));
        object.put("warmUp", details.path("warmUp").asText());
        object.put("heldCalls", details.path("heldCalls").asLong());
        object.set("forwarding", orNull(details.path("forwarding")));
        object.set("checkpoints", orNull(details.path("checkpoints")));
        object.set("archive", orNull(details.path("archive")));
    }

    private boolean isElectable(String name) {
        return memberInView(name).path("electable").asBoolean(true);
    }

    /** Whether a NameNode is drained; read from the orders, because a NameNode that is down does not appear in any view. */
    private boolean isDrained(String name) {
        for (JsonNode drain : view.path("orders").path("drained")) {
            if (drain.path("nameNode").asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private boolean isPreferred(String name, long nowMillis) {
        JsonNode preferred = view.path("orders").path("preferred");
        return preferred.path("nameNode").asText().equals(name)
                && (!preferred.has("until")
                        || nowMillis < preferred.path("until").asLong());
    }

    private JsonNode memberInView(String name) {
        for (JsonNode member : view.path("members")) {
            if (member.path("name").asText().equals(name)) {
                return member;
            }
        }
        return JSON.createObjectNode();
    }

    private static String lowerCaseText(JsonNode text) {
        return text.asText().toLowerCase(Locale.ROOT);
    }

    private static JsonNode orNull(JsonNode value) {
        return value.isMissingNode() ? JSON.getNodeFactory().nullNode() : value;
    }

    private void addPool(ObjectNode object) {
        GroupObservation group = group(new ArrayList<>());
        object.put("voters", group.voters())
                .put("majority", group.majority())
                .put("votersServing", group.servingVoterCount())
                .put("committed", pool.committed().position().sn())
                .put("txId", pool.committed().lastTxId());
        ArrayNode nodes = object.putArray("nodes");
        for (NodeObservation node : seenNodes) {
            addNode(nodes.addObject(), node);
        }
    }

    private static ObjectNode ledgers(StoreStatus store) {
        ObjectNode object = JSON.createObjectNode();
        object.put("epoch", store.epoch().number())
                .put("committed", store.committed().position().sn())
                .put("txId", store.committed().lastTxId())
                .put("mayLose", store.toleratedFailures());
        ArrayNode list = object.putArray("list");
        for (StoreStatus.Ledger ledger : store.ledgers()) {
            ObjectNode row = list.addObject()
                    .put("ledger", ledger.id())
                    .put("firstEntry", ledger.firstSn())
                    .put("quorum", ledger.quorum());
            ArrayNode bookies = row.putArray("bookies");
            ArrayNode missing = row.putArray("missing");
            for (String server : ledger.servers()) {
                bookies.add(server);
                if (!store.available().contains(server)) {
                    missing.add(server);
                }
            }
        }
        return object;
    }

    private void addNode(ObjectNode object, NodeObservation node) {
        Optional<StatusReply> status =
                PoolStatusClient.Answers.status(pool.statuses().get(NodeAddress.parse(node.address())));
        JsonNode writers = writersNodes.getOrDefault(node.address(), JSON.createObjectNode());
        object.put("address", node.address())
                .put("nameNode", node.owner())
                .put("site", node.site())
                .put("kind", node.kind().map(StatusDocument::kindLabel).orElse(null))
                .put("state", node.state().label())
                .put("trouble", node.details())
                .put("inSync", node.inSync().orElse(null))
                .put(
                        "epoch",
                        status.map(reply -> reply.promise().epoch().number()).orElse(null))
                .put("end", status.map(reply -> reply.end().position().sn()).orElse(null))
                .put(
                        "lag",
                        status.map(reply -> Math.max(
                                        0,
                                        pool.lastEntry()
                                                - reply.end().position().sn()))
                                .orElse(null));
        object.set("lagMillis", orNull(writers.path("lagMillis")));
        object.set("timeouts", orNull(writers.path("timeouts")));
        object.put("diskSilentMillis", status.map(StatusReply::diskStallMillis).orElse(null));
        object.put("unapplied", node.unapplied());
        GroupBean owner = members.get(node.owner());
        object.set(
                "diskP99Micros",
                owner == null
                        ? JSON.getNodeFactory().nullNode()
                        : orNull(owner.document("Details").path("diskP99Micros")));
    }

    private static String kindLabel(Member.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private void addBarriers(ArrayNode checkpoints, ArrayNode pins) {
        for (Barrier barrier : pool.committed().barriers().list()) {
            Optional<Pin> pin = Pin.of(barrier);
            ObjectNode object = (pin.isPresent() ? pins : checkpoints).addObject();
            object.put("name", barrier.name()).put("txId", barrier.txId()).put("keepFrom", barrier.keepFrom());
            if (pin.isPresent()) {
                object.put("owner", pin.get().owner())
                        .put("until", pin.get().expiry().map(Instant::toString).orElse(null));
            }
        }
    }

    private void addImages(ArrayNode images) {
        Map<ImageId, List<String>> holders = new TreeMap<>();
        pool.images().forEach((address, answer) -> answer.reply()
                .filter(ImagesReply.class::isInstance)
                .map(ImagesReply.class::cast)
                .ifPresent(reply -> {
                    for (HeldImage image : reply.images()) {
                        if (image.isRollback()) {
                            continue;
                        }
                        holders.computeIfAbsent(image.id(), id -> new ArrayList<>())
                                .add(address.toString());
                    }
                }));
        holders.forEach((id, nodes) -> {
            ObjectNode image = images.addObject().put("txId", id.txId()).put("bytes", id.length());
            ArrayNode list = image.putArray("nodes");
            nodes.forEach(list::add);
        });
    }

    /** Adds one row for each value, with the NameNodes that have that value. */
    private void addSettings(ArrayNode settings) {
        Map<String, ObjectNode> rows = new LinkedHashMap<>();
        members.forEach(
                (name, answer) -> answer.document("Details").path("settings").forEach(setting -> {
                    String key = setting.path("name").asText() + "="
                            + setting.path("value").asText();
                    ObjectNode row = rows.computeIfAbsent(key, unused -> {
                        ObjectNode made = ((ObjectNode) setting).deepCopy();
                        made.putArray("nameNodes");
                        return made;
                    });
                    ((ArrayNode) row.get("nameNodes")).add(name);
                }));
        new TreeMap<>(rows).values().forEach(settings::add);
    }
}

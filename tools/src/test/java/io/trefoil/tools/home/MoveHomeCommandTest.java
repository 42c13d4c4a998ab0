/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.home;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.tools.cluster.FakeNameNodes;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code move-home}: what it asks for and in which order, what it says, and how it goes on after a failure. */
class MoveHomeCommandTest {
    private final FakePool cluster = new FakePool(3);
    private final FakeNameNodes nameNodes = cluster.nameNodes;
    private final List<String> done = new ArrayList<>();
    private final Map<String, String> kinds = new LinkedHashMap<>(Map.of("host1:8487", "voter"));
    private String active = "nn1";
    private String preferred = "";
    private final List<String> drained = new ArrayList<>();
    private Optional<String> refusedChange = Optional.empty();
    /** What a NameNode says of its state in place of the truth; nothing if it does not answer. */
    private final Map<String, String> says = new LinkedHashMap<>();

    private final List<String> names = new ArrayList<>(List.of("nn1", "nn2"));
    private final Map<String, String> roles = new LinkedHashMap<>();
    private String siteOfHost2 = "east";
    private String settings = "{'name':'trefoil.journal.replicas.min.ns1','value':'1','nameNodes':['nn1','nn2']}";
    private Runnable afterAChange = () -> {};

    MoveHomeCommandTest() {
        cluster.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
        kinds.put("host2:8487", "permanent-learner");
        nameNodes.effect = order -> {
            done.add(order);
            preferred = order.startsWith("prefer ") ? order.substring("prefer ".length()) : preferred;
            active = order.equals("drain " + active) ? preferred : active;
            publishLayout();
        };
        cluster.writer = this::changeProgress;
        publishLayout();
    }

    private ChangeProgress changeProgress(MemberChange change) {
        String text = change.toString();
        if (refusedChange.filter(text::contains).isPresent()) {
            return ChangeProgress.of(change.ticket(), Stage.REFUSED, "no majority would be in sync");
        }
        done.add(change.kind() + " "
                + change.joiningAddress()
                        .map(Object::toString)
                        .orElseGet(() -> change.leavingNode().get().text()));
        change.leavingNode().ifPresent(id -> kinds.put("host" + id.text().substring(2) + ":8487", null));
        change.joiningAddress()
                .ifPresent(node -> kinds.put(
                        node.toString(),
                        change.kind() == MemberChange.Kind.ADD_LEARNER ? "permanent-learner" : "voter"));
        afterAChange.run();
        publishLayout();
        return ChangeProgress.of(change.ticket(), Stage.DONE, "done");
    }

    private void publishLayout() {
        String pool = kinds.entrySet().stream()
                .map(one -> "{'address':'%s','site':'%s','kind':%s,'trouble':''}"
                        .formatted(
                                one.getKey(),
                                one.getKey().equals("host1:8487") ? "west" : siteOfHost2,
                                one.getValue() == null ? "null" : "'" + one.getValue() + "'"))
                .collect(Collectors.joining(","));
        String members = names.stream()
                .map(name ->
                        "{'name':'%s','answered':%s,'site':'%s','state':'%s','role':'%s','preferred':%s,'drained':%s}"
                                .formatted(
                                        name,
                                        !says.getOrDefault(name, "standby").isEmpty(),
                                        name.equals("nn2") ? "east" : "west",
                                        says.getOrDefault(name, name.equals(active) ? "active" : "standby"),
                                        roles.getOrDefault(name, "standby"),
                                        name.equals(preferred),
                                        drained.contains(name)))
                .collect(Collectors.joining(","));
        nameNodes.statuses.put(
                "host1:9870",
                "{'nameservice':'ns1','verdict':{'level':'healthy'},'members':[%s],'pool':{'nodes':[%s]},'settings':[%s]}"
                        .formatted(members, pool, settings)
                        .replace('\'', '"'));
    }

    @Test
    void dryRunShowsStepsWithoutChange() {
        assertThat(cluster.run("move-home", "east", "--dry-run")).isEqualTo(ExitCode.FINE);

        assertThat(cluster.output)
                .isEqualTo(
                        """
                        host2:8487 becomes a voter
                        nn2 becomes the active
                        host1:8487 becomes a learner

                        Nothing was changed. To do it, leave --dry-run out
                        """);
        assertThat(cluster.run("move-home", "east", "--dry-run", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).contains("\"nn2 becomes the active\"");
        assertThat(done).isEmpty();
    }

    @Test
    void movesHomeAndUndrainsAllMembers() {
        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINE);

        assertThat(done)
                .containsExactly(
                        "undrain nn2",
                        "ADD host2:8487",
                        "prefer nn2",
                        "drain nn1",
                        "undrain nn1",
                        "REMOVE id1",
                        "ADD_LEARNER host1:8487");
        assertThat(cluster.output)
                .isEqualTo("Done: the home is at east, the voters are [host2:8487], the active is nn2\n"
                        + "nn2 is preferred in elections until 'hdfs trefoil prefer --clear': give the NameNodes of east the "
                        + "higher trefoil.ha.priority first\n");
        assertThat(cluster.run("move-home", "east", "--dry-run")).isEqualTo(ExitCode.FINE);
        assertThat(cluster.output).isEqualTo("The home is at east already\n");
    }

    @Test
    void keepsEarlierDrain() {
        drained.add("nn1");
        publishLayout();
        nameNodes.effect = order -> {
            done.add(order);
            if (order.startsWith("prefer ")) {
                preferred = "nn2";
                active = "nn2";
            }
            publishLayout();
        };

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINE);

        assertThat(done).contains("prefer nn2").doesNotContain("drain nn1", "undrain nn1");
        assertThat(cluster.output).contains("nn1 is drained; 'hdfs trefoil undrain nn1'");
    }

    @Test
    void keepsEarlierDrainWhenRoleDoesNotMove() {
        drained.add("nn1");
        publishLayout();
        nameNodes.effect = done::add;

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(done).doesNotContain("drain nn1", "undrain nn1");
    }

    @Test
    void resumesAfterRefusedChange() {
        refusedChange = Optional.of("REMOVE");

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("Refused: no majority would be in sync");
        assertThat(done).endsWith("drain nn1", "undrain nn1");

        refusedChange = Optional.empty();
        done.clear();
        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINE);
        assertThat(done).containsExactly("REMOVE id1", "ADD_LEARNER host1:8487");
    }

    @Test
    void failsWhenNoMemberAtSiteCanBecomeActive() {
        afterAChange = () -> says.put("nn2", "junior");

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors)
                .contains(
                        "Not done in time: No NameNode at east could become active: nn2 is no standby that is up to date");
        assertThat(cluster.output).doesNotContain("Done");
        assertThat(done).containsExactly("undrain nn2", "ADD host2:8487");
    }

    @Test
    void toleratesMissedAnswers() {
        int[] missed = {0};
        nameNodes.statusAsked = webAddress -> {
            if (webAddress.equals("host1:9870")) {
                boolean misses = done.contains("undrain nn1") && missed[0]++ < 2;
                says.put("nn2", misses ? "" : active.equals("nn2") ? "active" : "standby");
                publishLayout();
            }
        };

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINE);

        assertThat(missed[0]).isGreaterThan(2);
        assertThat(cluster.errors).contains("waits: No NameNode that answers is active");
        assertThat(done).endsWith("REMOVE id1", "ADD_LEARNER host1:8487");
        assertThat(cluster.output).contains("the voters are [host2:8487], the active is nn2");
    }

    @Test
    void undrainsWhenNoMemberAtSiteCanTakeRole() {
        names.add("nn3");
        nameNodes.effect = order -> {
            done.add(order);
            if (order.equals("drain nn1")) {
                active = "nn3";
                says.put("nn2", "junior");
            }
            publishLayout();
        };

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors).contains("nn2 did not become active", "nn2 is no standby that is up to date");
        assertThat(done).containsExactly("undrain nn2", "ADD host2:8487", "prefer nn2", "drain nn1", "undrain nn1");
    }

    @Test
    void voterWithUnknownSiteIsNotDemoted() {
        nameNodes.effect = order -> {
            done.add(order);
            preferred = order.startsWith("prefer ") ? "nn2" : preferred;
            if (order.equals("drain nn1")) {
                active = "nn2";
                siteOfHost2 = "";
            }
            publishLayout();
        };

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors).contains("Not done in time: The site of [host2:8487] is not known");
        assertThat(done).endsWith("drain nn1", "undrain nn1");
    }

    @Test
    void observerLeadsOnlyWithReadStandbys() {
        roles.put("nn2", "observer");
        publishLayout();

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("Refused: No NameNode at east could become active: nn2 is an observer");
        assertThat(done).isEmpty();

        settings += ",{'name':'trefoil.ha.read-standbys','value':'true','nameNodes':['nn2']}";
        publishLayout();
        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void refusesTooFewVotersBeforeAnyChange() {
        settings = "{'name':'trefoil.ha.site','value':'east','nameNodes':['nn2']}";
        publishLayout();

        assertThat(cluster.run("move-home", "east", "--force")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors).contains("Refused: A new active at east waits for 2 voters", "[host2:8487]");
        assertThat(done).isEmpty();
    }

    @Test
    void reportsRemovedVoterNotYetLearner() {
        refusedChange = Optional.of("ADD_LEARNER");

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors)
                .contains(
                        "host1:8487 was removed, but is no learner yet; 'hdfs trefoil journal add --learner host1:8487'");
    }

    @Test
    void undrainsWhenRoleDoesNotMove() {
        nameNodes.effect = done::add;

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors).contains("Not done in time: nn2 did not become active");
        assertThat(done).endsWith("drain nn1", "undrain nn1");
    }

    @Test
    void keepsVotersWithoutPermissionToMoveRole() {
        nameNodes.refusal = Optional.of("alice may not give orders about elections");

        assertThat(cluster.run("move-home", "east")).isNotEqualTo(ExitCode.FINE);

        assertThat(cluster.errors).contains("alice may not give orders about elections");
        assertThat(done).isEmpty();
    }

    @Test
    void refusesImpossibleMoveBeforeAnyChange() {
        assertThat(cluster.run("move-home", "south")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("Refused: No member of the journal is at south, they are at [east, west]");
        assertThat(cluster.run("move-home")).isEqualTo(ExitCode.USAGE);
        assertThat(done).isEmpty();
    }
}

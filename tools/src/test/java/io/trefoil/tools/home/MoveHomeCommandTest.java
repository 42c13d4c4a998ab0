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

    MoveHomeCommandTest() {
        cluster.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
        kinds.put("host2:8487", "permanent-learner");
        nameNodes.effect = order -> {
            done.add(order);
            preferred = order.startsWith("prefer ") ? order.substring("prefer ".length()) : preferred;
            active = order.equals("drain " + active) ? preferred : active;
            show();
        };
        cluster.writer = this::change;
        show();
    }

    private ChangeProgress change(MemberChange change) {
        String text = change.toString();
        if (refusedChange.filter(text::contains).isPresent()) {
            return ChangeProgress.of(change.ticket(), Stage.REFUSED, "no majority would be in sync");
        }
        done.add(change.kind() + " "
                + change.joining()
                        .map(Object::toString)
                        .orElseGet(() -> change.leaving().get().text()));
        change.leaving().ifPresent(id -> kinds.put("host" + id.text().substring(2) + ":8487", null));
        change.joining()
                .ifPresent(node -> kinds.put(
                        node.toString(),
                        change.kind() == MemberChange.Kind.ADD_LEARNER ? "permanent-learner" : "voter"));
        show();
        return ChangeProgress.of(change.ticket(), Stage.DONE, "done");
    }

    private void show() {
        String pool = kinds.entrySet().stream()
                .map(one -> "{'address':'%s','site':'%s','kind':%s,'trouble':''}"
                        .formatted(
                                one.getKey(),
                                one.getKey().equals("host1:8487") ? "west" : "east",
                                one.getValue() == null ? "null" : "'" + one.getValue() + "'"))
                .collect(Collectors.joining(","));
        String members = List.of("nn1", "nn2").stream()
                .map(name -> "{'name':'%s','answered':true,'site':'%s','state':'%s','preferred':%s,'drained':%s}"
                        .formatted(
                                name,
                                name.equals("nn1") ? "west" : "east",
                                name.equals(active) ? "active" : "standby",
                                name.equals(preferred),
                                drained.contains(name)))
                .collect(Collectors.joining(","));
        nameNodes.statuses.put(
                "host1:9870",
                "{'nameservice':'ns1','verdict':{'level':'healthy'},'members':[%s],'pool':{'nodes':[%s]}}"
                        .formatted(members, pool)
                        .replace('\'', '"'));
    }

    @Test
    void theStepsAreShownAndNothingIsChanged() {
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
    void theHomeMovesAndNobodyStaysDrained() {
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
    void whoWasDrainedBeforeStaysSo() {
        drained.add("nn1");
        show();
        nameNodes.effect = order -> {
            done.add(order);
            if (order.startsWith("prefer ")) {
                preferred = "nn2";
                active = "nn2";
            }
            show();
        };

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINE);

        assertThat(done).contains("prefer nn2").doesNotContain("drain nn1", "undrain nn1");
        assertThat(cluster.output).contains("nn1 is drained; 'hdfs trefoil undrain nn1'");
    }

    @Test
    void ifWhoWasDrainedBeforeLeadsOnItIsNotUndrained() {
        drained.add("nn1");
        show();
        nameNodes.effect = done::add;

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(done).doesNotContain("drain nn1", "undrain nn1");
    }

    @Test
    void afterARefusalItGoesOnWhereItWas() {
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
    void whoIsRemovedButNoLearnerIsNamed() {
        refusedChange = Optional.of("ADD_LEARNER");

        assertThat(cluster.run("move-home", "east")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors)
                .contains(
                        "host1:8487 was removed, but is no learner yet; 'hdfs trefoil journal add --learner host1:8487'");
    }

    @Test
    void ifTheRoleDoesNotMoveNobodyStaysDrained() {
        nameNodes.effect = done::add;

        assertThat(cluster.run("move-home", "east", "--wait", "1s")).isEqualTo(ExitCode.FINDING);

        assertThat(cluster.errors).contains("Not done in time: nn2 did not become active");
        assertThat(done).endsWith("drain nn1", "undrain nn1");
    }

    @Test
    void whoMayNotMoveTheRoleMovesNoVotersEither() {
        nameNodes.refusal = Optional.of("alice may not give orders about elections");

        assertThat(cluster.run("move-home", "east")).isNotEqualTo(ExitCode.FINE);

        assertThat(cluster.errors).contains("alice may not give orders about elections");
        assertThat(done).isEmpty();
    }

    @Test
    void whatCannotBeIsRefusedBeforeAnythingIsChanged() {
        assertThat(cluster.run("move-home", "south")).isEqualTo(ExitCode.FINDING);
        assertThat(cluster.errors).contains("Refused: No member of the journal is at south, they are at [east, west]");
        assertThat(cluster.run("move-home")).isEqualTo(ExitCode.USAGE);
        assertThat(done).isEmpty();
    }
}

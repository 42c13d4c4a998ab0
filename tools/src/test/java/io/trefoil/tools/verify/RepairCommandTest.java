/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Only what a majority knows to be wrong is touched, and only if that majority does not need it. */
class RepairCommandTest {
    private final FakePool pool = new FakePool(3);

    RepairCommandTest() {
        pool.all().forEach(node -> {
            node.log.addAll(Logs.withBatches(5));
            node.refetchesFrom = Optional.of(pool.node(1));
        });
    }

    @Test
    void leavesHealthyJournalUnchanged() {
        assertThat(repair("--execute")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        Journal ns1 of cluster CID-1 namespace 7
                        NODE        STATE   REMEDY
                        host1:8487  serves  none
                        host2:8487  serves  none
                        host3:8487  serves  none
                        nothing to repair
                        """);
        assertNoRefetch();
    }

    @Test
    void dryRunChangesNothing() {
        corruptNode(2);

        assertThat(repair()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .containsPattern("host1:8487 +serves +none")
                .containsPattern("host2:8487 +serves +refetch")
                .contains("1 to repair; nothing was changed, --execute does it");
        assertNoRefetch();
    }

    @Test
    void refetchesReplicaContradictedByMajority() {
        corruptNode(2);

        assertThat(repair("--execute")).as(pool.output).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("host2:8487 old storage moved to /data/ns1.moved-1, whole again", "1 of 1 nodes repaired");
        assertThat(pool.node(1).startedOver).isFalse();
        assertThat(repair()).isEqualTo(ExitCode.FINE);
    }

    @Test
    void jsonReportsPerformedRepairs() {
        corruptNode(2);

        assertThat(repair("--execute", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("\"executed\": true", "\"toRepair\": 1", "\"repaired\": 1", "\"remedy\": \"refetch\"")
                .contains("\"outcome\": \"old storage moved to /data/ns1.moved-1, whole again\"");
    }

    @Test
    void refetchesFailedNode() {
        pool.node(3).insteadOfStatus = Optional.of(FailedReply.of(FakePool.id(3), "the promise is damaged"));

        assertThat(repair("--execute")).as(pool.output).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("failed: the promise is damaged", "whole again");
    }

    @Test
    void repairsNoNodeWithoutHealthyMajority() {
        corruptNode(2);
        pool.node(3).silence = "Connection refused";

        assertThat(repair("--execute")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("0 sound voters of 3, where 2 are needed");
        assertNoRefetch();
    }

    @Test
    void repairsNoNodeWhenAllDisagree() {
        corruptNode(2);
        pool.node(3)
                .log
                .set(4, Logs.withEpoch(FakePool.EPOCH.next(), pool.node(3).log.get(4)));

        assertThat(repair("--execute")).isEqualTo(ExitCode.FINDING);
        assertNoRefetch();
    }

    @Test
    void leavesTwoFailedNodesToOperator() {
        pool.node(2).insteadOfStatus = Optional.of(FailedReply.of(FakePool.id(2), "the promise is damaged"));
        pool.node(3).insteadOfStatus = Optional.of(FailedReply.of(FakePool.id(3), "the promise is damaged"));

        assertThat(repair("--execute")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("with 1 sound voters of 3, where 2 are needed")
                .containsPattern("host3:8487 +failed +operator");
        assertNoRefetch();
    }

    @Test
    void incompleteRefetchIsNotReportedAsRepaired() {
        corruptNode(2);
        pool.node(2).refetchesFrom = Optional.empty();

        assertThat(repair("--execute", "--wait", "1")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("not whole after 1 s", "0 of 1 nodes repaired");
    }

    /** Of these two the lower one may be the one in force, if a clock ran ahead when the other one was formatted. */
    private static final Incarnation LOWER = Incarnation.of(100, 1);

    private static final Incarnation HIGHER = Incarnation.of(200, 2);

    @Test
    void keepsMajorityIncarnationDespiteHigherMinorityNumber() {
        reformatNode(3);

        assertThat(repair("--execute", "--wait", "1")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .containsPattern("host1:8487 +serves +none")
                .containsPattern("host3:8487 +serves +operator")
                .contains("holds incarnation " + HIGHER + " of the journal, newer by its number than " + LOWER)
                .contains("--incarnation " + LOWER + " --execute");
        assertNoRefetch();
    }

    @Test
    void keepsLowerIncarnationNamedByOperator() {
        reformatNode(3);

        assertThat(repair("--incarnation", LOWER.toString(), "--execute"))
                .as(pool.output)
                .isEqualTo(ExitCode.FINE);

        assertThat(pool.node(3).startedOver).isTrue();
        assertThat(pool.node(3).incarnation).isEqualTo(LOWER);
        assertThat(pool.node(1).startedOver || pool.node(2).startedOver).isFalse();
    }

    @Test
    void keepsHigherIncarnationNamedByOperator() {
        reformatNode(3);
        pool.all().forEach(node -> node.refetchesFrom = Optional.of(pool.node(3)));

        repair("--incarnation", HIGHER.toString(), "--execute", "--wait", "1");

        assertThat(pool.node(3).startedOver).isFalse();
        assertThat(pool.node(1).startedOver && pool.node(2).startedOver).isTrue();
        assertThat(pool.node(1).incarnation).isEqualTo(HIGHER);
    }

    @Test
    void movesOlderIncarnationWithoutMajorityAside() {
        pool.all().forEach(node -> node.incarnation = HIGHER);
        pool.node(3).incarnation = LOWER;

        assertThat(repair("--execute")).as(pool.output).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).contains("which has since been initialized again as " + HIGHER);
        assertThat(pool.node(3).incarnation).isEqualTo(HIGHER);
    }

    @Test
    void stopsWaitingForRemovedNode() {
        Members left = pool.node(1).members.without(FakePool.id(3), RetiredStorage.Cause.REMOVED);
        for (FakePool.FakeNode node : List.of(pool.node(1), pool.node(2))) {
            node.incarnation = HIGHER;
            node.members = left;
        }
        pool.node(3).incarnation = LOWER;

        assertThat(repair("--execute", "--wait", "60")).as(pool.output).isEqualTo(ExitCode.FINE);

        assertThat(pool.output)
                .contains("old storage moved to /data/ns1.moved-1, it was removed, and is given nothing before 'hdfs"
                        + " trefoil journal add host3:8487'");
    }

    @Test
    void rejectsUnknownIncarnation() {
        assertThat(repair("--incarnation", HIGHER.toString(), "--execute")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("No node that answers holds incarnation " + HIGHER);
        assertThat(repair("--incarnation", "yesterday")).isEqualTo(ExitCode.USAGE);
        assertNoRefetch();
    }

    /** The third node alone, with the higher number; the two others have what was there. */
    private void reformatNode(int number) {
        pool.all().forEach(node -> node.incarnation = LOWER);
        pool.node(number).incarnation = HIGHER;
        pool.node(number).members = Members.of(List.of(Member.voter(FakePool.id(number), FakePool.address(number))));
    }

    private void corruptNode(int number) {
        pool.node(number).log.set(4, Logs.withChangedBytes(pool.node(number).log.get(4)));
    }

    private void assertNoRefetch() {
        assertThat(pool.all()).noneMatch(node -> node.startedOver);
    }

    private int repair(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "journal";
        arguments[1] = "repair";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return pool.run(arguments);
    }
}

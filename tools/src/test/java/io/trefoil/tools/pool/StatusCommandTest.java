/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an operator sees of three nodes, and what scripts get. */
class StatusCommandTest {
    private final FakePool pool = new FakePool(3);

    StatusCommandTest() {
        pool.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
    }

    @Test
    void reportsAgreementOfThreeNodes() {
        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        Journal ns1 of cluster CID-1 namespace 7
                        NODE        ROLE   STATE   EPOCH  COMMITTED  TXID  END  LAG  ID
                        host1:8487  voter  serves      3          7    10    7    0  id1
                        host2:8487  voter  serves      3          7    10    7    0  id2
                        host3:8487  voter  serves      3          7    10    7    0  id3
                        3 of 3 voters in reach, all in agreement; committed up to entry 7, transaction 10, in epoch 3
                        """);
    }

    @Test
    void reportsLocalSettingsThatReduceSafety() {
        pool.givenUp = List.of("trefoil.journal.ack.policy is one on this host: so and so");

        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).endsWith("in epoch 3\ntrefoil.journal.ack.policy is one on this host: so and so\n");
        assertThat(status("--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"givenUp\": [").contains("so and so");
    }

    @Test
    void jsonReportsSameStatus() {
        assertThat(status("--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .contains("\"fine\": true", "\"votersInReach\": 3", "\"txId\": 10")
                .contains(
                        """
                            {
                              "address": "host2:8487",
                              "role": "voter",
                              "state": "serves",
                              "id": "id2",
                              "formatted": true,
                              "completeness": "complete",
                              "epoch": 3,
                              "first": 1,
                              "committed": 7,
                              "committedEpoch": 3,
                              "txId": 10,
                              "end": 7,
                              "endEpoch": 3,
                              "diskSilentMillis": 0,
                              "unapplied": "",
                              "lag": 0,
                              "findings": [ ]
                            },
                        """);
    }

    @Test
    void showsBarriersThatPreventPurging() {
        for (int number = 1; number <= 3; number++) {
            FakePool.FakeNode node = pool.node(number);
            node.base = node.base.with(Barriers.of(List.of(Barrier.of("friday", 9, 4, ""))));
        }

        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).endsWith("in epoch 3; 1 barrier keeps transactions from 4 on\n");

        status("--json");
        assertThat(pool.output).contains("\"name\": \"friday\"", "\"keepFrom\": 4");
    }

    @Test
    void reportsHungDisk() {
        pool.node(2).diskSilentMillis = 61_500;

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host2:8487 disk silent for 61 s: its replica takes nothing until it answers\n");

        pool.node(2).diskSilentMillis = 40;
        assertThat(status()).as("a busy one is none").isEqualTo(ExitCode.FINE);
    }

    @Test
    void reportsEditThatNameNodeCannotApply() {
        pool.node(2).unapplied = "transaction 7, MkdirOp [path=/a]: IOException: no";

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host2:8487 its NameNode cannot apply transaction 7, MkdirOp [path=/a]: IOException: no\n");
    }

    @Test
    void reportsDownNode() {
        pool.node(2).silence = "Connection refused";

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host2:8487  voter  down        -          -     -    -    -  -\n")
                .contains("host2:8487 down: Connection refused\n")
                .endsWith("2 of 3 voters in reach, a majority, but see above; committed up to entry 7, transaction 10,"
                        + " in epoch 3\n");
    }

    @Test
    void jsonHasNullForUnknownValues() {
        pool.node(2).silence = "Connection refused";

        assertThat(status("--json")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("\"fine\": false", "\"state\": \"down\"", "\"formatted\": null", "\"lag\": null")
                .contains("\"down: Connection refused\"");
    }

    @Test
    void reportsMissingMajorityWithSingleVoter() {
        pool.node(1).silence = "Connection refused";
        pool.node(2).silence = "Connection refused";

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("NO MAJORITY: 1 of 3 voters in reach, 2 are needed");
    }

    @Test
    void reportsWhenNoNodeAnswers() {
        pool.all().forEach(node -> node.silence = "Connection refused");

        assertThat(status()).isEqualTo(ExitCode.NOBODY_ANSWERED);
        assertThat(pool.output).isEmpty();
        assertThat(pool.errors)
                .contains("Journal ns1: no pool node answers: host1:8487: Connection refused; host2:8487:");
    }

    @Test
    void reportsNodesWithoutStorageAsUnformatted() {
        pool.node(3).insteadOfStatus = Optional.of(NotFormattedReply.of(NodeId.of("new3")));

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .contains("host3:8487 not formatted\n")
                .contains("host3:8487 holds the storage new3, the member here is id3\n");

        pool.all().forEach(node -> node.insteadOfStatus = Optional.of(NotFormattedReply.of(node.id)));

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).endsWith("NOT FORMATTED on any node in reach\n");
    }

    @Test
    void reportsFailedDisk() {
        pool.node(1).insteadOfStatus = Optional.of(FailedReply.of(FakePool.id(1), "storage failed: disk full"));

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host1:8487 failed: storage failed: disk full\n");
    }

    @Test
    void refetchingNodeDoesNotCount() {
        pool.node(1).completeness = LogCompleteness.REFETCHING;

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host1:8487 refetching\n", "2 of 3 voters in reach");
    }

    @Test
    void reportsNodeOfAnotherNamespace() {
        pool.node(3).namespace = NamespaceId.of("CID-other", 8);

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host3:8487 belongs to cluster CID-other namespace 8, the furthest node to");
    }

    @Test
    void suggestsMovingStaleDataAsideBeforeAddingNode() {
        pool.all().forEach(node -> node.incarnation = Incarnation.ofPromotion(200, 0));
        pool.node(3).incarnation = Incarnation.ofFormat(100, 0);

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output)
                .containsPattern("host3:8487 holds incarnation .* was promoted: .*"
                        + "'hdfs trefoil journal repair --incarnation .* --execute' moves its data aside; "
                        + "after that, 'hdfs trefoil journal add host3:8487' makes it a member again");
    }

    @Test
    void reportsLagFromGivenLimit() {
        pool.node(2).log.subList(4, 7).clear();

        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("host2:8487  voter  serves      3          4     4    4    3  id2\n");
        assertThat(status("--max-lag", "2")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host2:8487 lags by 3 entries\n");
    }

    @Test
    void reportsNodeThatMissedNewestWriter() {
        pool.node(2).promised = Epoch.of(2);

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("host2:8487 has not heard the writer of epoch 3");
    }

    @Test
    void reportsDifferentCommittedEntries() {
        pool.node(2).log.set(6, Logs.withEpoch(Epoch.of(4), pool.node(2).log.get(6)));

        assertThat(status()).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("disagrees with the furthest node on committed entry 7");
    }

    @Test
    void queriesMembersMissingFromUri() {
        pool.node(3).isInUri = false;

        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("host3:8487  voter  serves", "3 of 3 voters");
    }

    @Test
    void learnerIsShownButDoesNotVote() {
        pool.all()
                .forEach(node -> node.members = node.members.with(Member.learner(FakePool.id(3), FakePool.address(3))));

        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("host3:8487  learner  serves", "2 of 2 voters");
    }

    @Test
    void journalAndTimeoutAreConfigurable() {
        assertThat(status("--journal", "ssp://a;b;c/ns1", "--timeout", "9")).isEqualTo(ExitCode.FINE);
        assertThat(pool.asked).contains("ssp://a;b;c/ns1");
        assertThat(pool.timeout).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void unknownJournalIsUsageError() {
        assertThat(status("--journal", "none")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors)
                .contains("Wanted one journal named 'none'", "Try 'hdfs trefoil journal status --help'.");
    }

    @Test
    void showsLedgersWhenStoreKeepsJournal() {
        pool.store = Optional.of(ledgerOn("bookie1:3181", "bookie2:3181", "bookie3:3181"));

        assertThat(status()).isEqualTo(ExitCode.FINE);
        assertThat(pool.output)
                .isEqualTo(
                        """
                        LEDGER  FIRST ENTRY  QUORUM  BOOKIES                                   MISSING
                            12            1       2  bookie1:3181, bookie2:3181, bookie3:3181        -
                        1 more bookie may be lost; committed up to entry 0, transaction 0, in epoch 4
                        """);
    }

    @Test
    void reportsStoreThatMayLoseNoBookie() {
        pool.store = Optional.of(ledgerOn("bookie1:3181", "bookie2:3181"));

        assertThat(status("--json")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.output).contains("\"fine\": false", "\"mayLose\": 0", "\"missing\": [");
    }

    private static StoreStatus ledgerOn(String... available) {
        return StoreStatus.of(
                Epoch.of(4),
                LogSummary.ORIGIN,
                List.of(available),
                List.of(StoreStatus.Ledger.of(12, 1, List.of("bookie1:3181", "bookie2:3181", "bookie3:3181"), 2)));
    }

    private int status(String... options) {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "journal";
        arguments[1] = "status";
        System.arraycopy(options, 0, arguments, 2, options.length);
        return pool.run(arguments);
    }
}

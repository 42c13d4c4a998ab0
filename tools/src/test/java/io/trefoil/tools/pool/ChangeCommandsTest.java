/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands that change the members ask for, what they say and how they end. */
class ChangeCommandsTest {
    private static final NodeAddress NEW = FakePool.address(4);

    private final FakePool pool = new FakePool(4);

    ChangeCommandsTest() {
        pool.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
        pool.node(4).isInUri = false;
        pool.node(4).insteadOfStatus = Optional.of(NotFormattedReply.of(FakePool.id(4)));
        setProgress(Stage.DONE, "the members are as asked for");
    }

    @Test
    void addPollsUntilDoneAndReportsProgressOnce() {
        setProgressSequence(
                progress(Stage.UNDER_WAY, "host4:8487 is given storage"),
                progress(Stage.UNDER_WAY, "host4:8487 is given storage"),
                progress(Stage.DONE, "the members are [four]"));

        assertThat(journal("add", "host4:8487")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output).isEqualTo("Done: the members are [four]\n");
        assertThat(pool.errors).isEqualTo("host4:8487 is given storage\n");
        assertThat(pool.changes).hasSize(3).containsOnly(MemberChange.add(ticket(), NEW));
    }

    @Test
    void jsonReportsProgress() {
        assertThat(journal("add", "host4:8487", "--json")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output)
                .contains("\"done\": true", "\"refused\": false", "\"text\": \"the members are as asked for\"")
                .contains("\"address\": \"host2:8487\"", "\"role\": \"voter\"", "\"id\": \"id2\"");
    }

    @Test
    void addLearnerRequestsLearner() {
        assertThat(journal("add", "--learner", "host4:8487")).isEqualTo(ExitCode.FINE);

        assertThat(pool.changes).containsOnly(MemberChange.addLearner(ticket(), NEW));
    }

    @Test
    void addRefusesUnresponsiveNodeBeforeRequest() {
        pool.node(4).silence = "Connection refused";

        assertThat(journal("add", "host4:8487")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output)
                .isEqualTo("Refused: No pool node answers at host4:8487, start it first: Connection refused\n");
        assertThat(pool.changes).isEmpty();
    }

    @Test
    void addRefusesNodeOfAnotherCluster() {
        pool.node(4).insteadOfStatus = Optional.empty();
        pool.node(4).namespace = NamespaceId.of("CID-2", 8);

        assertThat(journal("add", "host4:8487")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("Refused", "CID-2", "CID-1");
        assertThat(pool.changes).isEmpty();
    }

    @Test
    void addRefusesNodeWithBrokenStorage() {
        pool.node(4).insteadOfStatus = Optional.of(FailedReply.of(FakePool.id(4), "the promise is damaged"));

        assertThat(journal("add", "host4:8487")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("Refused", "the promise is damaged");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host2:8487", "id2"})
    void removeIdentifiesMemberByStorageId(String member) {
        assertThat(journal("remove", member)).isEqualTo(ExitCode.FINE);

        assertThat(pool.changes).containsExactly(MemberChange.remove(ticket(), FakePool.id(2)));
    }

    @Test
    void forcedRemoveIsReported() {
        assertThat(journal("remove", "host2:8487", "--force")).isEqualTo(ExitCode.FINE);

        assertThat(pool.changes).containsExactly(MemberChange.forcedRemove(ticket(), FakePool.id(2)));
    }

    @Test
    void removeMayBeRepeated() {
        pool.all().forEach(node -> node.members = node.members.without(FakePool.id(2), RetiredStorage.Cause.REMOVED));

        assertThat(journal("remove", "host2:8487")).isEqualTo(ExitCode.FINE);

        assertThat(pool.changes).containsExactly(MemberChange.remove(ticket(), FakePool.id(2)));
    }

    @Test
    void removeRefusesNonMemberAndListsMembers() {
        assertThat(journal("remove", "host9:8487")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output)
                .contains(
                        "Refused: host9:8487 is not a member; name one by its address: host1:8487, host2:8487, host3:8487");
        assertThat(pool.changes).isEmpty();
    }

    @Test
    void replaceNamesBothMembers() {
        assertThat(journal("replace", "host2:8487", "host4:8487")).isEqualTo(ExitCode.FINE);

        assertThat(pool.changes).containsExactly(MemberChange.replace(ticket(), FakePool.id(2), NEW));
    }

    @Test
    void printsRefusalOfWriter() {
        setProgress(Stage.REFUSED, "host1:8487 is the last voter");

        assertThat(journal("remove", "host1:8487", "--json")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("\"done\": false", "\"refused\": true", "host1:8487 is the last voter");
    }

    @Test
    void timeoutIsNotReportedAsDone() {
        setProgress(Stage.UNDER_WAY, "host4:8487 is being caught up");

        for (String wait : List.of("0", "0s", "1", "1s")) {
            assertThat(journal("add", "host4:8487", "--wait", wait)).isEqualTo(ExitCode.FINDING);
            assertThat(pool.output).isEqualTo("Not done: host4:8487 is being caught up\n");
        }
    }

    @Test
    void changesNothingWithoutWriter() {
        setProgress(Stage.NO_WRITER, "no writer has been heard, make a NameNode active");

        assertThat(journal("add", "host4:8487", "--wait", "0")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("Not done: no writer has been heard");
    }

    @Test
    void eachRunUsesNewTicket() {
        journal("add", "host4:8487");
        String first = ticket();
        journal("add", "host4:8487");

        assertThat(pool.changes.get(1).ticket()).isNotEqualTo(first);
    }

    @Test
    void reportsUsageErrors() {
        assertThat(journal("add", "host4:port")).isEqualTo(ExitCode.USAGE);
        assertThat(journal("add")).isEqualTo(ExitCode.USAGE);
        assertThat(journal("add", "host4:8487", "--wait", "-1")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("--wait is a number of seconds, or one and s, m, h or d, as 30m; got -1");
        assertThat(pool.changes).isEmpty();
    }

    @Test
    void requestsNothingWhenNoNodeAnswers() {
        pool.all().forEach(node -> node.silence = "Connection refused");

        assertThat(journal("remove", "host1:8487")).isEqualTo(ExitCode.NOBODY_ANSWERED);

        assertThat(pool.changes).isEmpty();
    }

    @Test
    void newestLogDeterminesMembers() {
        // The other two have not heard yet.
        pool.node(3).members = pool.node(3).members.without(FakePool.id(2), RetiredStorage.Cause.REPLACED);
        pool.node(3).log.add(Logs.withEpoch(Epoch.of(4), Logs.withBatches(6).get(7)));

        assertThat(journal("remove", "host2:8487")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.output).contains("host2:8487 is not a member");
    }

    private String ticket() {
        return pool.changes.get(0).ticket();
    }

    private void setProgress(Stage stage, String text) {
        pool.writer = change -> ChangeProgress.of(change.ticket(), stage, text);
    }

    private void setProgressSequence(ChangeProgress... all) {
        Queue<ChangeProgress> left = new ArrayDeque<>(Arrays.asList(all));
        pool.writer = change -> {
            ChangeProgress next = left.remove();
            return ChangeProgress.of(change.ticket(), next.stage(), next.text());
        };
    }

    private static ChangeProgress progress(Stage stage, String text) {
        return ChangeProgress.of("any", stage, text);
    }

    private int journal(String... arguments) {
        List<String> all = new ArrayList<>(List.of("journal"));
        all.addAll(List.of(arguments));
        return pool.run(all.toArray(new String[0]));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.View;
import io.trefoil.journal.model.Epoch;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One member of a group gets the lock, and keeps it while its session lasts. */
class ZkLockTest extends ZkGroup {

    @Test
    void onlyOneBidderPerBallotGetsLock() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());

        assertThat(List.of(one.lastOutcome(), other.lastOutcome())).containsExactlyInAnyOrder("taken 1", "missed");
        await().until(() -> one.view.lock().isPresent() && one.view.equals(copySession(other.view, one.view)));
        assertThat(one.view.ballot()).isEqualTo(FIRST);
    }

    @Test
    void formerHolderCannotChangeReplacedLock() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.lastOutcome()).isEqualTo("taken 1");
        await().until(() -> other.view.ballot().equals(FIRST));
        LockRecord theirs = other.lock(FIRST.next()).withEpoch(Epoch.of(6));

        other.coordination.takeLock(other.lock(FIRST.next()), FIRST, Optional.of(one.lock(FIRST)));
        assertThat(other.lastOutcome()).isEqualTo("taken 2");
        one.coordination.publishEpoch(one.lock(FIRST).withEpoch(Epoch.of(5)));
        one.coordination.releaseLock(one.lock(FIRST));
        other.coordination.publishEpoch(theirs);

        await().until(() -> one.view.lock().equals(Optional.of(theirs)));
        // The requests of the old holder are behind it: they were carried out in their order.
        one.coordination.publish(record("nn1", 1));
        await().until(() -> other.view.member("nn1").isPresent());
        assertThat(other.view.lock()).contains(theirs);
    }

    /** So it is in each planned failover, and an operator who reads of a failure would look for its cause. */
    @Test
    void releasingReplacedLockIsNoOp() throws Exception {
        Member other = new Member("nn2");
        LockRecord former = new Member("nn1").lock(FIRST);
        other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(other.lastOutcome()).isEqualTo("taken 1");
        other.coordination.takeLock(other.lock(FIRST.next()), FIRST, Optional.of(other.lock(FIRST)));
        assertThat(other.lastOutcome()).isEqualTo("taken 2");

        try (CuratorFramework client = stranger()) {
            GroupPaths paths = GroupPaths.of("/trefoil/ns1");
            new ZkLock(client, paths, new ViewReader(client, paths, () -> {})).release(former);
            assertThat(client.checkExists().forPath(paths.lock())).isNotNull();
        }
    }

    @Test
    void bidBasedOnStaleViewFails() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.lastOutcome()).isEqualTo("taken 1");
        one.coordination.releaseLock(one.lock(FIRST));
        await().until(() ->
                !other.view.lock().isPresent() && other.view.ballot().equals(FIRST));

        // There is no lock, as in the view it bids on, but there has been an election since.
        other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());

        assertThat(other.lastOutcome()).isEqualTo("missed");
        assertThat(other.view.lock()).isEmpty();
    }

    @Test
    void lockEndsWithHolderSession() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.lastOutcome()).isEqualTo("taken 1");
        await().until(() -> other.view.lock().isPresent());

        one.coordination.close();

        await().until(() -> !other.view.lock().isPresent());
        assertThat(other.view.ballot()).isEqualTo(FIRST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no record", "{}", "{\"ballot\":-1}", "[]", ""})
    void nextBidderReplacesMalformedLock(String content) throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        expectElected(one);
        try (CuratorFramework stranger = stranger()) {
            stranger.setData().forPath("/trefoil/ns1/lock", content.getBytes(UTF_8));
        }
        await().until(() -> other.view.lock().isEmpty());
        expectElected(other);
        await().until(() -> one.view.lock().map(LockRecord::holder).equals(Optional.of("nn2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no record", "{}", "{\"ballot\":-1}", "[]", ""})
    void malformedElectionRecordDoesNotBlockBids(String content) throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        expectElected(one);
        try (CuratorFramework stranger = stranger()) {
            stranger.setData().forPath("/trefoil/ns1/election", content.getBytes(UTF_8));
        }
        await().until(() -> other.view.ballot().equals(Ballot.NONE));
        expectElected(other);
    }

    private static View copySession(View view, View of) {
        return View.of(of.session(), view.ballot(), view.lock(), view.members(), view.orders());
    }
}

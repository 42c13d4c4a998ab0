/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.client.PoolLeaseStatus;
import io.trefoil.journal.pool.lease.LeaseChoice;
import io.trefoil.journal.pool.lease.LeaseRule;
import io.trefoil.journal.pool.server.PoolObserver;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** How one writer follows another, and who knows whether one is alone. */
class PoolTermTest extends ThreePoolNodes {
    @Test
    void secondWriterFollowsImmediatelyWithAllAcknowledgedEdits() throws Exception {
        formatAll();
        JournalWriter old = journals[0].openWriter(2);
        startSegment(old, 1);
        write(old, 1, 50);

        old.close();
        JournalWriter next = journals[1].openWriter(2);

        assertThat(next.end().lastTxId()).isEqualTo(50);
        assertThat(next.end().openSegment()).isEmpty();
        assertThatThrownBy(() -> write(old, 51, 1)).isInstanceOf(IOException.class);
        startSegment(next, 51);
        write(next, 51, 10);
        awaitSegments(journals[1], TxRange.of(1, 50), TxRange.of(51, 60));
    }

    @Test
    void openReusesPreparedWriterWithoutSecondEpoch() throws Exception {
        formatAll();

        JournalWriter prepared = journals[0].prepareWriter(3);

        assertThat(journals[0].openWriter(3)).isSameAs(prepared);
        assertThat(journals[0].localTerm().get().epoch()).isEqualTo(prepared.epoch());
        // On a busy machine a lease may run out between two heartbeats; here and below, it is held again then.
        await().until(() -> journals[0].localTerm().get().leaseRemaining().compareTo(Duration.ZERO) > 0);
        assertThat(journals[0].openWriter(3).epoch()).isGreaterThan(prepared.epoch());
    }

    @Test
    void openIgnoresClosedPreparedWriter() throws Exception {
        formatAll();
        JournalWriter prepared = journals[0].prepareWriter(3);
        prepared.close();

        assertThat(journals[0].localTerm()).isEmpty();
        assertThat(journals[0].openWriter(3).epoch()).isGreaterThan(prepared.epoch());
    }

    @Test
    void writerWithSessionsTakesEpochAboveInterveningWriters() throws Exception {
        formatAll();
        journals[1].openSessions(3);
        JournalWriter first = journals[0].openWriter(3);
        startSegment(first, 1);
        write(first, 1, 10);
        first.close();
        JournalWriter second = journals[2].openWriter(3);
        second.close();

        JournalWriter next = journals[1].prepareWriter(3);

        assertThat(next.epoch()).isGreaterThan(second.epoch());
        assertThat(next.end().lastTxId()).isEqualTo(10);
        assertThat(journals[1].openWriter(3)).isSameAs(next);
    }

    @Test
    void reconnectsNodeThatRestartsDuringOpenSessions() throws Exception {
        formatAll();
        journals[1].openSessions(3);
        stop(2);
        start(2);

        // All three must be in sync.
        assertThat(journals[1].prepareWriter(3).epoch().number()).isPositive();
    }

    @Test
    void votersKeepLeaseThatWriterDerives() throws Exception {
        formatAll();
        assertThat(journals[0].derivedLease()).isEmpty();
        PoolSettings derived = settingsNaming(addresses)
                .lease(LeaseRule.LONGEST)
                .leaseDerived(true)
                .build();

        try (PoolJournal deriving = new PoolJournal(derived, Optional.empty(), PoolObserver.NONE)) {
            assertThat(deriving.derivedLease()).as("without a term").isEmpty();
            PoolWriter writer = (PoolWriter) deriving.openWriter(3);
            // How long this process stands still is the machine's business, and may change meanwhile.
            await().until(() -> leaseAt(1) == writer.lease().toMillis());
            LeaseChoice choice = deriving.derivedLease().orElseThrow();
            assertThat(choice.length()).isBetween(LeaseRule.SHORTEST, LeaseRule.LONGEST);
            assertThat(choice.reason()).contains("in the last hour the process stood still for ");

            writer.lengthenLease(Duration.ofSeconds(60));
            await().until(() -> leaseAt(0) == 60_000 && leaseAt(1) == 60_000 && leaseAt(2) == 60_000);
            await().until(() -> writer.term().leaseRemaining().compareTo(Duration.ofSeconds(30)) > 0);
            assertThat(deriving.derivedLease().orElseThrow().length()).hasSeconds(60);
        }
    }

    /** The length of the lease that a node has promised. */
    private long leaseAt(int node) {
        StatusReply status = (StatusReply)
                nodes[node].replica(JOURNAL).perform(StatusRequest.create()).orElseThrow();
        return status.promise().leaseMillis();
    }

    @Test
    void leaseSurveyLeavesWriterUndisturbed() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        CountDownLatch freed = new CountDownLatch(1);
        journals[1].setLeaseFreedWatcher(freed::countDown);

        await().until(() -> !journals[1].queryLease(Duration.ofSeconds(2)).leaseFree());
        await().until(() -> journals[1]
                .observedTerm()
                .filter(term -> term.leaseRemaining().compareTo(Duration.ZERO) > 0)
                .isPresent());
        assertThat(writer.isFenced()).isFalse();
        assertThat(freed.getCount()).isEqualTo(1);

        writer.close();
        assertThat(freed.await(30, TimeUnit.SECONDS))
                .as("the others are told at once")
                .isTrue();
        await().untilAsserted(() -> assertThat(
                        journals[1].queryLease(Duration.ofSeconds(2)).leaseFree())
                .isTrue());
    }

    @Test
    void writerKnowsItIsAloneOnlyWhileMajorityAnswers() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        CountDownLatch told = new CountDownLatch(1);
        long askedNanos = System.nanoTime();
        writer.setAdvanceWatcher(() -> {
            if (writer.wasSoleWriterAt(askedNanos)) {
                told.countDown();
            }
        });

        writer.trackExclusivity();
        assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
        await().until(() -> writer.wasSoleWriterAt(System.nanoTime()));

        stop(1);
        stop(2);
        long alone = System.nanoTime();
        await().pollDelay(Duration.ofMillis(Promise.ALONE_MILLIS))
                .until(() -> !writer.wasSoleWriterAt(System.nanoTime()));
        assertThat(writer.wasSoleWriterAt(alone + Duration.ofSeconds(1).toNanos()))
                .as("although it knows that both are dead")
                .isFalse();
    }

    @Test
    void writerLosesMajorityWhenBothOthersAreDown() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        long opened = System.nanoTime();
        await().until(() -> writer.hasMajorityAnsweredSince(opened));

        stop(1);
        await().until(() -> writer.hasMajorityAnsweredSince(System.nanoTime() - 1_000_000_000L));
        long oneGone = System.nanoTime();
        await().until(() -> writer.hasMajorityAnsweredSince(oneGone));
        stop(2);
        long bothGone = System.nanoTime();

        await().pollDelay(Duration.ofMillis(1_500)).until(() -> !writer.wasSoleWriterAt(System.nanoTime()));
        assertThat(writer.hasMajorityAnsweredSince(bothGone)).isFalse();
    }

    @Test
    void closedWriterWasNeverAlone() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        long askedNanos = System.nanoTime();
        writer.trackExclusivity();
        await().until(() -> writer.wasSoleWriterAt(askedNanos));

        writer.close();

        assertThat(writer.wasSoleWriterAt(askedNanos)).isFalse();
    }

    @Test
    void grantsNearReadsUntilTermEnds() throws Exception {
        formatAll();
        JournalWriter writer = journals[0].openWriter(3);
        NodeId node = journals[1].acknowledgedLog().get().node();

        await().until(() -> writer.grantReads(node));
        assertThat(writer.end().members().readers()).containsExactly(node);
        assertThat(journals[1].acknowledgedLog().get().promisedEpoch()).isEqualTo(writer.epoch());

        writer.close();
        assertThat(writer.grantReads(node)).isFalse();
    }

    @Test
    void surveyDistinguishesDeadFromUnresponsiveNodes() throws Exception {
        formatAll();
        journals[0].openWriter(3);
        assertThat(journals[1].queryLease(Duration.ofSeconds(2)).rivalTermPossible())
                .as("by one that has no term")
                .isTrue();

        stop(1);

        // One that a busy machine does not let answer in time is taken for silent.
        await().atMost(LONG_ENOUGH).untilAsserted(() -> {
            PoolLeaseStatus survey = journals[0].queryLease(Duration.ofSeconds(2));
            assertThat(survey.deadNodes()).containsExactly(addresses.get(1));
            assertThat(survey.rivalTermPossible()).isFalse();
        });
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.VoidRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Three voters, 1 to 3, and the learner 4, which is to be promoted. */
class PromotionTest {

    private static final Incarnation OLD = Incarnation.ofFormat(100, 7);
    private static final Promise PROMISE = Promise.of(Epoch.of(5), WriterId.of("writer-5"), 5_000);
    private static final NodeId HEIR = NodeId.of("heir");
    private static final Members MEMBERS = Members.of(List.of(
            Member.voter(id(1), address(1)),
            Member.voter(id(2), address(2)),
            Member.voter(id(3), address(3)),
            Member.of(id(4), address(4), Member.Kind.PERMANENT_LEARNER)));

    /** It has nothing before 40, and nothing of epoch 3. */
    private static final NavigableMap<Long, Epoch> EPOCHS = new TreeMap<>(Map.of(40L, Epoch.of(2), 60L, Epoch.of(4)));

    private final Promotion.CounterIncrease rise =
            Promotion.CounterIncrease.of(TxRange.of(48, 50), Bytes.ofUtf8("-66"), Bytes.ofUtf8("rising"), 1_000);
    private final Map<NodeAddress, PoolReply> answers = new LinkedHashMap<>();
    private final Set<NodeAddress> lost = new LinkedHashSet<>();

    private static NodeId id(int number) {
        return NodeId.of("node-" + number);
    }

    private static NodeAddress address(int number) {
        return NodeAddress.of("host" + number, 8487);
    }

    private static LogSummary log(long sn) {
        return LogSummary.of(LogPosition.of(Epoch.of(4), sn), MEMBERS, 47, Optional.of(40L), Optional.empty())
                .with(OLD);
    }

    private static Promotion.Survivor survivor(int number, long sn) {
        return Promotion.Survivor.of(id(number), PROMISE, LogCompleteness.COMPLETE, log(sn - 1), log(sn), EPOCHS);
    }

    private static Promotion.Survivor survivor(NodeId node, LogSummary end) {
        return Promotion.Survivor.of(node, PROMISE, LogCompleteness.COMPLETE, end, end, EPOCHS);
    }

    private void addAnswer(int number, long sn, Incarnation incarnation, long leaseMillis) {
        addAnswerAt(address(number), number, sn, incarnation, leaseMillis);
    }

    private void addAnswerAt(NodeAddress place, int number, long sn, Incarnation incarnation, long leaseMillis) {
        addAnswerAs(id(number), place, PROMISE, sn, incarnation, leaseMillis);
    }

    private void addAnswerAs(
            NodeId node, NodeAddress place, Promise promise, long sn, Incarnation incarnation, long leaseMillis) {
        answers.put(
                place,
                StatusReply.of(
                        node,
                        NamespaceId.of("CID-1", 7),
                        promise,
                        log(sn).with(incarnation),
                        log(sn).with(incarnation),
                        1,
                        LogCompleteness.COMPLETE,
                        leaseMillis));
    }

    private void declareLost(int... numbers) {
        for (int number : numbers) {
            lost.add(address(number));
        }
    }

    private List<String> refusals(Promotion.Survivor ownSurvivor) {
        return Promotion.refusalReasons(ownSurvivor, answers, lost);
    }

    @Test
    void promotesLearnerWhenAllVotersAreDeclaredLost() {
        declareLost(1, 2, 3);

        assertThat(refusals(survivor(4, 90))).isEmpty();
    }

    @Test
    void requiresDeclaringEachUnresponsiveMemberLost() {
        declareLost(1, 3);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().startsWith("host2:8487 does not answer");
    }

    @Test
    void emptyOrForeignStorageDoesNotCountAsMember() {
        answers.put(address(1), NotFormattedReply.of(NodeId.of("fresh")));
        declareLost(2, 3);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().startsWith("host1:8487 does not answer");

        addAnswerAs(NodeId.of("somebody-else"), address(1), PROMISE, 80, OLD, 0);
        assertThat(refusals(survivor(4, 90))).singleElement().asString().startsWith("host1:8487 does not answer");
    }

    @Test
    void rejectsDeclaringAnsweringMemberLost() {
        addAnswer(2, 80, OLD, 0);
        declareLost(1, 2, 3);

        assertThat(refusals(survivor(4, 90)))
                .containsExactly("host2:8487 is said to be lost, but answers with its storage");
    }

    @Test
    void rejectsPromotionWhileMajorityIsPresent() {
        addAnswer(2, 80, OLD, 0);
        // Its disk may be mended.
        answers.put(address(3), FailedReply.of(id(3), "storage failed"));
        declareLost(1);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().startsWith("2 of 3 voters are there");
    }

    /** What cannot be opened may not be able to say whose it is. */
    @Test
    void memberWithUnopenableStorageCountsAsPresent() {
        addAnswer(2, 80, OLD, 0);
        answers.put(address(3), FailedReply.of(id(99), "storage failed"));
        declareLost(1);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().startsWith("2 of 3 voters are there");
    }

    @Test
    void memberWithMovedStorageCountsAsPresent() {
        addAnswerAt(address(7), 2, 80, OLD, 0);
        answers.put(address(8), FailedReply.of(id(3), "storage failed"));
        declareLost(1);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().startsWith("2 of 3 voters are there");
        declareLost(2);
        assertThat(refusals(survivor(4, 90)))
                .contains("host2:8487 is said to be lost, but host7:8487 answers with its storage");
    }

    @Test
    void rejectsPromotionWhenStorageIsServedTwice() {
        addAnswerAt(address(7), 4, 80, OLD, 0);
        declareLost(1, 2, 3);

        assertThat(refusals(survivor(4, 90)))
                .singleElement()
                .asString()
                .startsWith("host7:8487 answers with the storage that is here");
    }

    @Test
    void localVoterCountsForMajority() {
        addAnswer(2, 80, OLD, 0);
        declareLost(3, 4);

        assertThat(refusals(survivor(1, 90))).singleElement().asString().startsWith("2 of 3 voters are there");
    }

    @Test
    void promotesSurvivingVoterWhenMajorityIsLost() {
        addAnswer(4, 80, OLD, 0);
        declareLost(2, 3);

        assertThat(refusals(survivor(1, 90))).isEmpty();
    }

    @Test
    void rejectsPromotionWhenSurvivorHasLongerLog() {
        addAnswer(1, 91, OLD, 0);
        declareLost(2, 3);

        assertThat(refusals(survivor(4, 90))).hasSize(2).first().asString().contains("further than 4/90 here");
    }

    /** A lower log may have been continued by a writer of whom it only heard that an old entry of its own is committed. */
    @Test
    void logMustContainEntriesKnownCommittedBySurvivor() {
        declareLost(2, 3);
        addKnownCommit(Epoch.of(3), 59);
        assertThat(refusals(survivor(4, 90)))
                .singleElement()
                .asString()
                .startsWith("host1:8487 knows entry 3/59 to be committed, which the log here does not have");
        addKnownCommit(Epoch.of(2), 59);
        assertThat(refusals(survivor(4, 90))).isEmpty();
        addKnownCommit(Epoch.of(1), 39);
        assertThat(refusals(survivor(4, 90))).isEmpty();
        addKnownCommit(Epoch.of(4), 90);
        assertThat(refusals(survivor(4, 90))).isEmpty();
    }

    private void addKnownCommit(Epoch epoch, long sn) {
        LogSummary log = LogSummary.of(LogPosition.of(epoch, sn), MEMBERS, 30, Optional.empty(), Optional.empty())
                .with(OLD);
        answers.put(
                address(1),
                StatusReply.of(id(1), NamespaceId.of("CID-1", 7), PROMISE, log, log, 1, LogCompleteness.COMPLETE, 0));
    }

    @Test
    void rejectsPromotionWhileLeaseIsHeld() {
        addAnswer(1, 80, OLD, 300);
        declareLost(2, 3);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().contains("a NameNode may be active");
    }

    @Test
    void ignoresLeaseOfOlderIncarnation() {
        addAnswer(1, 95, Incarnation.ofFormat(99, 7), 300);
        declareLost(1, 2, 3);

        assertThat(refusals(survivor(4, 90))).isEmpty();
    }

    @Test
    void rejectsPromotionWhenNewerIncarnationExists() {
        addAnswer(1, 3, Incarnation.ofPromotion(101, 0), 0);
        declareLost(1, 2, 3);

        assertThat(refusals(survivor(4, 90))).singleElement().asString().contains("another node was promoted");
    }

    @Test
    void rejectsStorageOfNonMember() {
        declareLost(1, 2, 3, 4);

        assertThat(refusals(survivor(5, 90))).singleElement().asString().contains("is not a member");
    }

    @Test
    void rejectsDeclaringNonMemberLost() {
        declareLost(1, 2, 3, 4, 9);

        assertThat(refusals(survivor(4, 90)))
                .containsExactly(
                        "host4:8487 is said to be lost, but is not one of the other members",
                        "host9:8487 is said to be lost, but is not one of the other members");
    }

    @Test
    void rejectsLogWithoutTransactions() {
        LogSummary empty = LogSummary.of(log(9).position(), MEMBERS, 0, Optional.empty(), Optional.empty())
                .with(OLD);
        declareLost(1, 2, 3);

        assertThat(refusals(Promotion.Survivor.of(id(4), PROMISE, LogCompleteness.COMPLETE, empty, empty, EPOCHS)))
                .containsExactly("The log here holds no transaction");
    }

    @Test
    void epochExceedsOwnPromiseAndLog() {
        assertThat(Promotion.nextEpoch(survivor(4, 90), List.of())).isEqualTo(Epoch.of(6));
        assertThat(Promotion.nextEpoch(survivor(id(4), logEndingIn(Epoch.of(7))), List.of()))
                .isEqualTo(Epoch.of(8));
    }

    @Test
    void epochExceedsPromisesOfOthers() {
        answers.put(address(3), FailedReply.of(id(3), "storage failed"));
        addAnswerAs(id(1), address(1), promiseFor(9), 80, OLD, 0);
        addAnswerAs(id(2), address(2), promiseFor(3), 80, OLD, 0);

        assertThat(Promotion.nextEpoch(survivor(4, 90), answers.values())).isEqualTo(Epoch.of(10));
    }

    private static Promise promiseFor(long epoch) {
        return Promise.of(Epoch.of(epoch), WriterId.of("writer-" + epoch), 5_000);
    }

    private static LogSummary logEndingIn(Epoch epoch) {
        return LogSummary.of(LogPosition.of(epoch, 90), MEMBERS, 47, Optional.empty(), Optional.empty())
                .with(OLD);
    }

    @Test
    void promotedLogHasSingleVoterAndRaisedCounters() {
        declareLost(2, 3);
        Promotion.Survivor ownSurvivor = survivor(4, 90);
        Incarnation next = Incarnation.ofPromotion(101, 2);

        List<Entry> entries = Promotion.newEntries(ownSurvivor, Epoch.of(6), HEIR, lost, rise);

        assertThat(entries)
                .extracting(Entry::kind)
                .containsExactly(
                        EntryKind.SEGMENT_END,
                        EntryKind.MEMBERS,
                        EntryKind.SEGMENT_START,
                        EntryKind.EDITS,
                        EntryKind.SEGMENT_END);
        assertThat(entries.get(0).txIds()).isEqualTo(TxRange.of(40, 47));
        LogSummary end = ownSurvivor.end().with(next);
        for (Entry entry : entries) {
            end = end.plus(entry);
        }
        assertThat(end.position()).isEqualTo(LogPosition.of(Epoch.of(6), 95));
        assertThat(end.lastTxId()).isEqualTo(50);
        assertThat(end.openSegment()).isEmpty();
        assertThat(end.members().list()).containsExactly(Member.voter(HEIR, address(4)));
        for (int number = 1; number <= 4; number++) {
            assertThat(end.members().isRetired(id(number))).isTrue();
        }
        assertThat(end.members().isRemovedByOperator(address(1))).isFalse();
        assertThat(end.members().isRemovedByOperator(address(2))).isTrue();
        assertThat(end.members().lostRanges()).containsExactly(VoidRange.of(47, Long.MAX_VALUE, 0, 1_000));
        assertThat(survivor(HEIR, end).isPromoted()).isTrue();
        assertThat(ownSurvivor.isPromoted()).isFalse();
    }

    @Test
    void endsOnlyOpenSegment() {
        assertThat(entriesAfter(logEndingIn(Epoch.of(4))))
                .extracting(Entry::kind)
                .containsExactly(EntryKind.MEMBERS, EntryKind.SEGMENT_START, EntryKind.EDITS, EntryKind.SEGMENT_END);
    }

    @Test
    void endsEmptySegmentAsEmpty() {
        LogSummary justBegun = LogSummary.of(
                        LogPosition.of(Epoch.of(4), 90), MEMBERS, 47, Optional.of(48L), Optional.empty())
                .with(OLD);

        assertThat(entriesAfter(justBegun).get(0).txIds()).isEqualTo(TxRange.emptyRangeAt(48));
    }

    private List<Entry> entriesAfter(LogSummary end) {
        return Promotion.newEntries(survivor(id(4), end), Epoch.of(6), HEIR, lost, rise);
    }

    @Test
    void onlySingleVoterOfPromotedIncarnationIsPromoted() {
        Incarnation promoted = Incarnation.ofPromotion(101, 2);
        Members alone = Members.of(
                List.of(Member.voter(HEIR, address(4)), Member.of(id(1), address(1), Member.Kind.PERMANENT_LEARNER)));

        assertThat(survivor(HEIR, summaryOf(alone, promoted)).isPromoted()).isTrue();
        assertThat(survivor(HEIR, summaryOf(alone, OLD)).isPromoted()).isFalse();
        assertThat(survivor(id(1), summaryOf(alone, promoted)).isPromoted()).isFalse();
        assertThat(survivor(id(1), summaryOf(MEMBERS, promoted)).isPromoted()).isFalse();
    }

    private static LogSummary summaryOf(Members members, Incarnation incarnation) {
        return LogSummary.of(LogPosition.of(Epoch.of(6), 95), members, 50, Optional.empty(), Optional.empty())
                .with(incarnation);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.pool.replica.LocalNamespace;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A pool node in the process of a NameNode that may end at each start, as one does whose namespace is void: as a voter, the
 * node would make writes wait.
 */
class NodesOfNameNodesTest extends ThreePoolNodes {
    private static final int OFTEN = 3;
    private static final Incarnation PROMOTED = Incarnation.ofPromotion(1_000, 0);

    private final SwitchedNamespace namespace = new SwitchedNamespace();

    @BeforeEach
    void embedSecondNodeInNameNode() {
        inNameNodes.add(1);
    }

    @Test
    void nodeJoinsOnlyOnceNamespaceIsInUse() throws Exception {
        startWith(0, addresses.subList(0, 1));
        journals[0].format(NAMESPACE, VERSION, false);
        JournalWriter writer = beginWriting(1);
        startWith(1, addresses.subList(0, 2));
        journals[1].setLocalNamespace(namespace);

        await().atMost(LONG_ENOUGH).until(() -> namespace.askedForUse.get() >= OFTEN);
        assertThat(members().list()).hasSize(1);
        write(writer, 1, 5);

        namespace.on = true;
        awaitTwoVoters();
    }

    @Test
    void nodeOfUnresponsiveNamespaceStaysOutOfPromotedIncarnation() throws Exception {
        startWith(0, addresses.subList(0, 2));
        promoteFirstNode();
        startWith(1, addresses.subList(0, 2));
        JournalWriter writer = beginWriting(1);
        journals[1].setLocalNamespace(namespace);

        await().atMost(LONG_ENOUGH).until(() -> namespace.askedToEnter.get() >= OFTEN);
        assertThat(nodes[1].replica(JOURNAL).isFormatted()).isFalse();
        assertThat(members().list()).hasSize(1);
        write(writer, 1, 5);

        namespace.on = true;
        awaitTwoVoters();
        write(writer, 6, 5);
    }

    /** It has no namespace that could be void. */
    @Test
    void standaloneNodeJoinsPromotedIncarnationImmediately() throws Exception {
        inNameNodes.clear();
        startWith(0, addresses.subList(0, 2));
        promoteFirstNode();
        startWith(1, addresses.subList(0, 2));

        beginWriting(1);

        awaitTwoVoters();
    }

    /** As a survivor beside the promoted one: by its own log it is a member, and no writer comes to say that it is none. */
    @Test
    void nodeKeepingOldStorageAlsoRequestsToJoin() throws Exception {
        inNameNodes.clear();
        startWith(0, addresses.subList(0, 1));
        startWith(1, addresses.subList(0, 2));
        Members both = Members.of(List.of(voter(0), voter(1)));
        format(1, both, Incarnation.ofFormat(999, 0));
        format(0, both.without(voter(1).id(), RetiredStorage.Cause.REPLACED), PROMOTED);

        beginWriting(1);

        awaitTwoVoters();
        assertThat(nodes[1].replica(JOURNAL).incarnation()).isEqualTo(PROMOTED);
    }

    private void promoteFirstNode() {
        format(0, Members.of(List.of(voter(0))), PROMOTED);
    }

    private Member voter(int i) {
        return Member.voter(nodes[i].replica(JOURNAL).node(), addresses.get(i));
    }

    private void format(int i, Members members, Incarnation incarnation) {
        JournalReplica replica = nodes[i].replica(JOURNAL);
        List<Entry> entries = List.of(
                Entry.of(LogPosition.of(Epoch.FORMAT, 1), EntryKind.MEMBERS, TxRange.NONE, members.toPayload()),
                Entry.of(
                        LogPosition.of(Epoch.FORMAT, 2),
                        EntryKind.STORAGE,
                        TxRange.NONE,
                        StorageRecord.ofFormat(VERSION).toPayload()));
        LogSummary base = LogSummary.ORIGIN.with(incarnation);
        assertThat(replica.perform(FormatRequest.of(NAMESPACE, replica.node(), base, entries, false)))
                .get()
                .isInstanceOf(DoneReply.class);
    }

    private Members members() {
        return nodes[0].replica(JOURNAL).members();
    }

    private void awaitTwoVoters() {
        await().atMost(LONG_ENOUGH).until(() -> members().voterCount() == 2);
    }

    /** Counts how often it is asked. */
    private static final class SwitchedNamespace implements LocalNamespace {
        private final AtomicInteger askedForUse = new AtomicInteger();
        private final AtomicInteger askedToEnter = new AtomicInteger();
        private volatile boolean on;

        @Override
        public boolean isInUse() {
            askedForUse.incrementAndGet();
            return on;
        }

        @Override
        public boolean mayEnter(Incarnation incarnation) {
            askedToEnter.incrementAndGet();
            return on;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The two closed families of a writer: each event and each effect comes to its own branch, and is a value. */
class WriterEventTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeId NODE = NodeId.of("node");
    private static final Entry ENTRY =
            Entry.of(LogPosition.of(Epoch.of(1), 1), EntryKind.EDITS, TxRange.of(1, 1), Bytes.EMPTY);
    private static final EntryRange RANGE = EntryRange.of(1, 2);
    private static final AppendTerms TERMS = AppendTerms.of(
            Incarnation.NONE, Epoch.of(1), WriterId.of("writer"), 5_000, LogPosition.of(Epoch.of(1), 1), 2);

    @Test
    void dispatchesEachEventToItsBranch() {
        List<String> branches = new ArrayList<>();
        WriterEventHandler<RuntimeException> handler = handler(WriterEventHandler.class, branches::add);

        List.of(
                        WriterEvent.peerConnected(A, NODE, true, Epoch.NONE),
                        WriterEvent.peerDisconnected(A),
                        WriterEvent.peerRefused(A, Incarnation.NONE),
                        WriterEvent.replied(A, DoneReply.of(NODE), 0, 0),
                        WriterEvent.termRequested(),
                        WriterEvent.appendRequested(EntryKind.EDITS, TxRange.of(1, 1), Bytes.EMPTY),
                        WriterEvent.purgeRequested(1),
                        WriterEvent.announceDelayPassed(1),
                        WriterEvent.partSent(A, 1, 1),
                        WriterEvent.loadFailed(A, A),
                        WriterEvent.loadPurged(A, LogSummary.ORIGIN),
                        WriterEvent.answersWanted(),
                        WriterEvent.readsWanted(NODE),
                        WriterEvent.leaseWanted(1),
                        WriterEvent.ticked(),
                        WriterEvent.stepDownRequested())
                .forEach(event -> event.dispatch(handler));

        assertThat(branches)
                .containsExactly(
                        "peerConnected",
                        "peerDisconnected",
                        "peerRefused",
                        "replied",
                        "termRequested",
                        "appendRequested",
                        "purgeRequested",
                        "announceDelayPassed",
                        "partSent",
                        "loadFailed",
                        "loadPurged",
                        "answersWanted",
                        "readsWanted",
                        "leaseWanted",
                        "ticked",
                        "stepDownRequested");
    }

    @Test
    void dispatchesEachEffectToItsBranch() {
        List<String> branches = new ArrayList<>();
        WriterEffectHandler<RuntimeException> handler = handler(WriterEffectHandler.class, branches::add);

        List.of(
                        WriterEffect.remember(ENTRY),
                        WriterEffect.send(A, StepDownRequest.of(Epoch.of(1))),
                        WriterEffect.sendEntries(A, RANGE, TERMS),
                        WriterEffect.forget(1),
                        WriterEffect.loadAndSend(A, A, RANGE, TERMS),
                        WriterEffect.meet(A),
                        WriterEffect.acceptAppends(),
                        WriterEffect.publishCommitted(1),
                        WriterEffect.publishAcknowledged(1),
                        WriterEffect.endFenced(Epoch.of(1)),
                        WriterEffect.endReinitialized(Incarnation.NONE),
                        WriterEffect.reportDropped(A, 1),
                        WriterEffect.reportInSync(A),
                        WriterEffect.reportImpostor(A, Member.voter(NODE, A)))
                .forEach(effect -> effect.dispatch(handler));

        assertThat(branches)
                .containsExactly(
                        "remember",
                        "send",
                        "sendEntries",
                        "forget",
                        "loadAndSend",
                        "meet",
                        "acceptAppends",
                        "publishCommitted",
                        "publishAcknowledged",
                        "endFenced",
                        "endReinitialized",
                        "reportDropped",
                        "reportInSync",
                        "reportImpostor");
    }

    @Test
    void handlerExceptionReachesPerformer() {
        WriterEffectHandler<IOException> handler = handler(WriterEffectHandler.class, name -> {
            throw new IOException(name);
        });

        assertThatThrownBy(() -> WriterEffect.acceptAppends().dispatch(handler))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("acceptAppends");
    }

    @Test
    void eventsAndEffectsHaveValueEquality() {
        assertThat(WriterEvent.replied(A, DoneReply.of(NODE), 7, 0))
                .isEqualTo(WriterEvent.replied(A, DoneReply.of(NODE), 7, 0))
                .isNotEqualTo(WriterEvent.replied(A, DoneReply.of(NODE), 8, 0));
        assertThat(WriterEvent.ticked()).isEqualTo(WriterEvent.ticked()).isNotEqualTo(WriterEvent.answersWanted());
        assertThat(WriterEffect.sendEntries(A, RANGE, TERMS))
                .isEqualTo(WriterEffect.sendEntries(A, RANGE, TERMS))
                .isNotEqualTo(WriterEffect.loadAndSend(A, A, RANGE, TERMS));
    }

    @Test
    void traceShowsPayloadSizesOnly() {
        Bytes payload = Bytes.ofUtf8("secret");

        assertThat(WriterEvent.appendRequested(EntryKind.EDITS, TxRange.of(1, 1), payload))
                .hasToString("AppendRequested{kind=EDITS, txIds=1..1, payload=6 bytes}");
        assertThat(WriterEffect.remember(Entry.of(ENTRY.position(), EntryKind.EDITS, TxRange.of(1, 1), payload)))
                .hasToString("Remember{entry=EDITS@1/1[1..1]}");
    }

    /** A handler that says the name of each branch to {@code heard}. */
    private static <T> T handler(Class<? super T> family, BranchListener heard) {
        @SuppressWarnings("unchecked") // Its methods throw what the caller says, and nothing is done with it here.
        T handler = (T)
                Proxy.newProxyInstance(family.getClassLoader(), new Class<?>[] {family}, (proxy, method, arguments) -> {
                    heard.onBranch(method.getName());
                    return null;
                });
        return handler;
    }

    /** Hears the names of branches. */
    private interface BranchListener {
        void onBranch(String name) throws IOException;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.StepDownRequest;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The two closed families of a writer: each event and each effect comes to its own branch, and gives back what that says. */
class WriterEventTest {

    private static final NodeAddress A = NodeAddress.of("a", 1);
    private static final NodeId NODE = NodeId.of("node");
    private static final Entry ENTRY =
            Entry.of(LogPosition.of(Epoch.of(1), 1), EntryKind.EDITS, TxRange.of(1, 1), Bytes.EMPTY);
    private static final EntryRange RANGE = EntryRange.of(1, 2);
    private static final AppendTerms TERMS = AppendTerms.of(
            Incarnation.NONE, Epoch.of(1), WriterId.of("writer"), 5_000, LogPosition.of(Epoch.of(1), 1), 2);

    @Test
    void eachEventComesToItsBranch() {
        WriterEvent.Handler<?> handler = sayingItsName(WriterEvent.Handler.class);

        assertThat(List.of(
                                WriterEvent.peerUp(A, NODE, true, Epoch.NONE),
                                WriterEvent.peerDown(A),
                                WriterEvent.replied(A, DoneReply.of(NODE), 0),
                                WriterEvent.appendAsked(EntryKind.EDITS, TxRange.of(1, 1), Bytes.EMPTY),
                                WriterEvent.purgeAsked(1),
                                WriterEvent.announceDue(1),
                                WriterEvent.memoryTrimmed(1),
                                WriterEvent.memoryLacked(A),
                                WriterEvent.partSent(A, 1, 1),
                                WriterEvent.loadFailed(A, A),
                                WriterEvent.loadPurged(A, LogSummary.ORIGIN),
                                WriterEvent.answersWanted(),
                                WriterEvent.ticked(),
                                WriterEvent.stepDownAsked())
                        .stream()
                        .map(event -> event.dispatch(handler)))
                .map(Object::toString)
                .containsExactly(
                        "peerUp",
                        "peerDown",
                        "replied",
                        "appendAsked",
                        "purgeAsked",
                        "announceDue",
                        "memoryTrimmed",
                        "memoryLacked",
                        "partSent",
                        "loadFailed",
                        "loadPurged",
                        "answersWanted",
                        "ticked",
                        "stepDownAsked");
    }

    @Test
    void eachEffectComesToItsBranch() {
        WriterEffect.Handler<?> handler = sayingItsName(WriterEffect.Handler.class);

        assertThat(List.of(
                                WriterEffect.remember(ENTRY),
                                WriterEffect.send(A, StepDownRequest.of(Epoch.of(1))),
                                WriterEffect.sendEntries(A, RANGE, TERMS),
                                WriterEffect.sendPart(A, Optional.empty(), RANGE, TERMS),
                                WriterEffect.sendPart(A, Optional.of(A), RANGE, TERMS),
                                WriterEffect.meet(A),
                                WriterEffect.ready(),
                                WriterEffect.committed(1),
                                WriterEffect.acknowledged(1),
                                WriterEffect.fenced(Epoch.of(1)),
                                WriterEffect.beganAnew(Incarnation.NONE),
                                WriterEffect.putAside(A, 1),
                                WriterEffect.takenBack(A))
                        .stream()
                        .map(effect -> effect.performedBy(handler)))
                .map(Object::toString)
                .containsExactly(
                        "remember",
                        "send",
                        "sendEntries",
                        "sendPart",
                        "loadAndSend",
                        "meet",
                        "ready",
                        "committed",
                        "acknowledged",
                        "fenced",
                        "beganAnew",
                        "putAside",
                        "takenBack");
    }

    private static <T> T sayingItsName(Class<T> family) {
        return family.cast(Proxy.newProxyInstance(
                family.getClassLoader(), new Class<?>[] {family}, (proxy, method, arguments) -> method.getName()));
    }
}

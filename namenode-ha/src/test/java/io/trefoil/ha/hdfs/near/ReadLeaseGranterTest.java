/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.near;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.ExhaustibleThreadFactory;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.writer.peer.ReadLeases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadLeaseGranterTest {
    private final List<Bytes> calls = new ArrayList<>();
    private final ReadLeaseGranter granter = new ReadLeaseGranter(Optional::empty, (call, answer) -> calls.add(call));

    @Test
    void nonWriterDoesNotGrantLease() throws Exception {
        assertThat(answerTo(ReadLeaseCodec.encodeQuestion(NodeId.of("far")))).isEmpty();
        assertThat(answerTo(Bytes.wrap(new byte[] {2, 0, 0}))).isEmpty();
        assertThat(calls).isEmpty();
    }

    /** Who asks would wait for as long as an answer may take. */
    @Test
    void refusesLeaseWithoutThread() throws Exception {
        ExhaustibleThreadFactory threads = new ExhaustibleThreadFactory();
        threads.exhaust();

        assertThat(answerTo(
                        new ReadLeaseGranter(
                                Optional::empty, (call, answer) -> calls.add(call), threads, System::nanoTime),
                        ReadLeaseCodec.encodeQuestion(NodeId.of("far"))))
                .isEmpty();
    }

    /** Who waited so long has asked again, and could not use the answer; the active's writer has better things to do. */
    @Test
    void deniesExpiredRequestWithoutQueryingWriter() throws Exception {
        AtomicLong clock = new AtomicLong();
        AtomicLong looks = new AtomicLong();
        ReadLeaseGranter slow = new ReadLeaseGranter(
                () -> {
                    looks.incrementAndGet();
                    return Optional.empty();
                },
                (call, answer) -> calls.add(call),
                new ExhaustibleThreadFactory(),
                () -> clock.getAndAdd(TimeUnit.MILLISECONDS.toNanos(ReadLeases.USED_MILLIS)));

        assertThat(answerTo(slow, ReadLeaseCodec.encodeQuestion(NodeId.of("far"))))
                .isEmpty();
        assertThat(looks).hasValue(0);
        slow.close();
    }

    @Test
    void exceptionDoesNotGrantLease() throws Exception {
        ReadLeaseGranter buggy = new ReadLeaseGranter(
                () -> {
                    throw new IllegalStateException("planted");
                },
                (call, answer) -> calls.add(call));

        assertThat(answerTo(buggy, ReadLeaseCodec.encodeQuestion(NodeId.of("far"))))
                .isEmpty();
    }

    private Optional<Epoch> answerTo(Bytes query) throws Exception {
        return answerTo(granter, query);
    }

    private static Optional<Epoch> answerTo(ReadLeaseGranter granter, Bytes query) throws Exception {
        CompletableFuture<Bytes> answer = new CompletableFuture<>();
        granter.execute(query, answer::complete);
        return ReadLeaseCodec.readEpoch(answer.get(60, TimeUnit.SECONDS));
    }

    @Test
    void clientCallsReachTheirExecutor() {
        Bytes call = Bytes.wrap(new byte[] {1, 0, 0});

        granter.execute(call, answer -> {});

        assertThat(calls).containsExactly(call);
    }

    @Test
    void leaseMessagesHaveFixedEncoding() {
        assertThat(ReadLeaseCodec.encodeQuestion(NodeId.of("n1")).toByteArray())
                .containsExactly(2, 0, 0, 0, 2, 'n', '1');
        assertThat(ReadLeaseCodec.encodeAnswer(Optional.of(Epoch.of(7))).toByteArray())
                .containsExactly(2, 1, 0, 0, 0, 0, 0, 0, 0, 7);
        assertThat(ReadLeaseCodec.readEpoch(ReadLeaseCodec.encodeAnswer(Optional.of(Epoch.of(7)))))
                .contains(Epoch.of(7));
        assertThat(ReadLeaseCodec.readEpoch(Bytes.wrap(new byte[] {2, 1, 0}))).isEmpty();
        assertThatThrownBy(() -> ReadLeaseCodec.decodeNode(Bytes.wrap(new byte[] {2, 0, 0, 0, 9, 'n'})))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

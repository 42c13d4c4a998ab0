/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CommitSignalTest {
    private final CommitSignal signal = new CommitSignal();

    @Test
    void listenerIsNotifiedOfEachCommitUntilRemoved() {
        AtomicInteger heard = new AtomicInteger();
        CommitSignal.Listener listener = heard::incrementAndGet;
        signal.advance(1, 10);
        signal.add(listener);
        signal.advance(2, 20);
        signal.advance(3, 30);
        signal.remove(listener);
        signal.advance(4, 40);

        assertThat(heard).hasValue(2);
        assertThat(signal.committedSn()).isEqualTo(4);
        assertThat(signal.committedTxId()).isEqualTo(40);
    }

    /** The thread that commits is that of the active's edit log: no thread that begins to wait may make it fail. */
    @Test
    void listenersMayChangeDuringCommits() {
        AtomicBoolean done = new AtomicBoolean();
        CompletableFuture<Void> comesAndGoes = CompletableFuture.runAsync(() -> {
            CommitSignal.Listener listener = () -> {};
            while (!done.get()) {
                signal.add(listener);
                signal.remove(listener);
            }
        });
        try {
            for (int sn = 1; sn <= 1_000_000; sn++) {
                signal.advance(sn, sn);
            }
        } finally {
            done.set(true);
            comesAndGoes.join();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CommitWatchTest {
    private final CommitWatch watch = new CommitWatch(10);

    @Test
    void whatIsCommittedIsToldAtOnce() {
        assertThat(watch.committedTxId()).isEqualTo(10);
        assertThat(watch.commitOf(10)).isCompleted();
    }

    @Test
    void whatIsNotIsToldWhenItIsAndNotBefore() {
        CompletableFuture<Void> eleventh = watch.commitOf(11);
        CompletableFuture<Void> thirteenth = watch.commitOf(13);

        watch.set(12);

        assertThat(eleventh).isCompleted();
        assertThat(thirteenth).isNotDone();
        watch.set(13);
        assertThat(thirteenth).isCompleted();
    }

    @Test
    void whoWaitsWhenTheTermEndsLearnsThatNothingIsKnown() {
        CompletableFuture<Void> eleventh = watch.commitOf(11);

        watch.end();

        assertThat(eleventh).isCompletedExceptionally();
        assertThat(watch.commitOf(10)).isCompleted();
        assertThat(watch.commitOf(11))
                .failsWithin(0, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("behind transaction 10")
                .withMessageContaining("transaction 11");
    }

    @Test
    void nobodyWhoComesAsACommitDoesIsForgotten() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<CompletableFuture<Void>>>> asked = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                asked.add(threads.submit(() -> {
                    List<CompletableFuture<Void>> own = new ArrayList<>();
                    for (int j = 0; j < 20_000; j++) {
                        own.add(watch.commitOf(watch.committedTxId()
                                + ThreadLocalRandom.current().nextInt(3)));
                    }
                    return own;
                }));
            }
            Future<?> commits = threads.submit(() -> {
                for (long txId = 11; txId <= 20_000; txId++) {
                    watch.set(txId);
                }
            });
            commits.get();
            List<CompletableFuture<Void>> told = new ArrayList<>();
            for (Future<List<CompletableFuture<Void>>> one : asked) {
                told.addAll(one.get());
            }
            watch.set(30_000);
            assertThat(told).allMatch(CompletableFuture::isDone);
        } finally {
            threads.shutdownNow();
        }
    }
}

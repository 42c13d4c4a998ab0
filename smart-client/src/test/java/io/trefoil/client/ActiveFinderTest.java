/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ActiveFinderTest {
    private static final int CLIENTS = 2_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<String> active = new AtomicReference<>("");
    private final AtomicInteger questionsToOthers = new AtomicInteger();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private ActiveFinder<String> finder(MemberProbe<String> probe) {
        return new ActiveFinder<>(
                () -> Arrays.asList("a", "b", "c"),
                probe,
                threads,
                () -> {},
                TimeUnit.SECONDS.toNanos(5),
                TimeUnit.SECONDS.toNanos(5));
    }

    private MemberAnswer answer(String member) {
        if (member.equals(active.get())) {
            return MemberAnswer.active();
        }
        questionsToOthers.incrementAndGet();
        return MemberAnswer.other("standby");
    }

    private static long in(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Two thousand processes lose their active in one moment, and another one comes two seconds later. */
    @Test
    void twoThousandClientsAskAHundredTimesEachAtMost() throws Exception {
        active.set("a");
        List<ActiveFinder<String>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            ActiveFinder<String> client = finder(this::answer);
            clients.add(client);
            client.await(in(10));
        }
        int before = questionsToOthers.get();
        assertThat(before).as("questions to find the first active").isLessThanOrEqualTo(10 * CLIENTS);

        active.set("");
        CyclicBarrier together = new CyclicBarrier(CLIENTS + 1);
        List<Future<String>> searches = new ArrayList<>();
        for (ActiveFinder<String> client : clients) {
            searches.add(threads.submit(() -> {
                together.await();
                client.lost("a");
                return client.await(in(40));
            }));
        }
        together.await();
        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS).execute(() -> active.set("c"));
        for (Future<String> search : searches) {
            assertThat(search.get()).isEqualTo("c");
        }
        // Rounds: 2 s of gap by waits that grow from 25 ms at least to 200 ms at least; three members each.
        int perClient = (questionsToOthers.get() - before) / CLIENTS;
        System.out.println("questions per client to NameNodes that are not active, failover of 2 s: " + perClient);
        assertThat(perClient).isBetween(1, 100);
    }

    @Test
    void aMemberThatOwesAnAnswerIsNotAskedAgainAndHoldsNobodyUp() throws Exception {
        AtomicInteger askedA = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        ActiveFinder<String> finder = finder(member -> {
            if (member.equals("a")) {
                askedA.incrementAndGet();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return answer(member);
        });
        Future<String> search = threads.submit(() -> finder.await(in(20)));
        await().until(() -> questionsToOthers.get() >= 6);
        active.set("b");
        assertThat(search.get()).isEqualTo("b");
        assertThat(askedA).hasValue(1);
    }

    @Test
    void whoTakesOverFromAWaitingThreadThatLeaves() throws Exception {
        ActiveFinder<String> finder = finder(this::answer);
        Future<String> first = threads.submit(() -> finder.await(in(20)));
        await().until(() -> questionsToOthers.get() >= 3);
        Future<String> second = threads.submit(() -> finder.await(in(20)));
        first.cancel(true);
        int asked = questionsToOthers.get();
        await().until(() -> questionsToOthers.get() >= asked + 6);
        active.set("c");
        assertThat(second.get()).isEqualTo("c");
    }

    @Test
    void nobodyTakesTheRoleOfAnActiveThatAnswers() throws Exception {
        active.set("a");
        AtomicInteger claims = new AtomicInteger();
        ActiveFinder<String> finder = finder(member -> {
            if (member.equals("b")) {
                claims.incrementAndGet();
                return MemberAnswer.active();
            }
            return answer(member);
        });
        while (!finder.await(in(10)).equals("a")) {
            finder.lost("b");
        }
        int before = claims.get();
        finder.look();
        await().until(() -> claims.get() > before);
        assertThat(finder.known()).contains("a");
    }
}

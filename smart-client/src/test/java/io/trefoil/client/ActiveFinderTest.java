/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class ActiveFinderTest {
    private static final int CLIENTS = 2_000;
    /** As many questions as one client asks within a few rounds. */
    private static final int FEW = 60;

    private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    /** For tests in which no member may be asked a second time, however long they take on a busy machine. */
    private static final long EVER = TimeUnit.HOURS.toNanos(1);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicReference<String> active = new AtomicReference<>("");
    private final AtomicInteger questionsToOthers = new AtomicInteger();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private ActiveFinder<String> finder(MemberProbe<String> probe) {
        return finder(probe, new SharedProbeResults<>());
    }

    private ActiveFinder<String> finder(MemberProbe<String> probe, SharedProbeResults<MemberAnswer> answers) {
        return finder(probe, answers, TimeUnit.SECONDS.toNanos(5));
    }

    private ActiveFinder<String> finder(
            MemberProbe<String> probe, SharedProbeResults<MemberAnswer> answers, long timeoutNanos) {
        return new ActiveFinder<>(
                () -> Arrays.asList("a", "b", "c"),
                probe,
                threads,
                answers,
                times -> times * BUSY_NANOS,
                timeoutNanos,
                TimeUnit.SECONDS.toNanos(5));
    }

    private MemberAnswer answer(String member) {
        if (member.equals(active.get())) {
            return MemberAnswer.active();
        }
        questionsToOthers.incrementAndGet();
        return MemberAnswer.inOtherState("standby");
    }

    private static long secondsFromStart(int seconds) {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /**
     * What clients asked until the last of them had found another active.
     *
     * @param questions to those that were not active
     */
    private record Gap(int questions, long nanos) {

        /** What one client asks at most, whatever chance makes of its waits: three members each time, and once before the loss. */
        int maxProbesPerClient() {
            int rounds = 1;
            for (long at = 0; at < nanos; at += RetryDelays.minNanosAfter(at)) {
                rounds++;
            }
            return 3 * rounds;
        }
    }

    /** All clients lose their active in one moment, and another one comes two seconds later. */
    private Gap simulateGap(List<ActiveFinder<String>> clients) throws Exception {
        active.set("a");
        for (ActiveFinder<String> client : clients) {
            client.awaitActive(secondsFromStart(10));
        }
        int before = questionsToOthers.get();
        active.set("");
        CyclicBarrier together = new CyclicBarrier(clients.size() + 1);
        List<Future<String>> searches = new ArrayList<>();
        for (ActiveFinder<String> client : clients) {
            searches.add(threads.submit(() -> {
                together.await();
                return client.awaitActive(secondsFromStart(40));
            }));
        }
        long lost = System.nanoTime();
        // By one thread: on a busy machine it may take seconds until each of so many has begun.
        clients.forEach(client -> client.markInactive("a"));
        together.await();
        CompletableFuture.delayedExecutor(2, TimeUnit.SECONDS).execute(() -> active.set("c"));
        for (Future<String> search : searches) {
            assertThat(search.get()).isEqualTo("c");
        }
        return new Gap(questionsToOthers.get() - before, System.nanoTime() - lost);
    }

    @Test
    void twoThousandClientsProbeWithinBackoffLimit() throws Exception {
        List<ActiveFinder<String>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(finder(this::answer));
        }
        Gap gap = simulateGap(clients);
        int perClient = gap.questions() / CLIENTS;
        System.out.println("questions per client to NameNodes that are not active, failover of 2 s: " + perClient);
        assertThat(perClient).isBetween(1, gap.maxProbesPerClient());
    }

    @Test
    void twoThousandClientsOfOneProcessProbeLikeOne() throws Exception {
        SharedProbeResults<MemberAnswer> answers = new SharedProbeResults<>();
        List<ActiveFinder<String>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(finder(this::answer, answers));
        }
        Gap gap = simulateGap(clients);
        System.out.println("questions of all of one process, failover of 2 s: " + gap.questions());
        // An answer counts for half a wait, so there are twice as many as of one client.
        assertThat(gap.questions()).isBetween(1, 2 * gap.maxProbesPerClient());
    }

    /** By the waits of all alone, "b" and "c" would be asked equally often. */
    @Test
    void invitingMemberIsProbedAgainAtSuggestedTime() throws Exception {
        AtomicInteger toB = new AtomicInteger();
        AtomicInteger toC = new AtomicInteger();
        MemberProbe<String> probe = member -> {
            if (member.equals("b")) {
                return toB.incrementAndGet() - toC.get() > 4 ? MemberAnswer.active() : invitingAnswer(10);
            }
            if (member.equals("c")) {
                toC.incrementAndGet();
            }
            return MemberAnswer.inOtherState("standby");
        };
        assertThat(finder(probe).awaitActive(secondsFromStart(40))).isEqualTo("b");
    }

    @Test
    void ignoresInvitationFromBeforeLossOfActive() throws Exception {
        active.set("a");
        List<String> asked = new CopyOnWriteArrayList<>();
        MemberProbe<String> probe = member -> {
            asked.add(member);
            if (asked.size() == 6 && active.get().isEmpty()) {
                active.set("c");
            }
            return member.equals("b") && active.get().equals("a") ? invitingAnswer(5) : answer(member);
        };
        ExecutorService atOnce = new ManualExecutor() {
            @Override
            public void execute(Runnable task) {
                task.run();
            }
        };
        ActiveFinder<String> finder = new ActiveFinder<>(
                () -> List.of("a", "b", "c"), probe, atOnce, new SharedProbeResults<>(), times -> EVER, EVER, EVER);
        assertThat(finder.awaitActive(secondsFromStart(10))).isEqualTo("a");

        active.set("");
        asked.clear();
        finder.markInactive("a");
        assertThat(finder.awaitActive(secondsFromStart(40))).isEqualTo("c");
        assertThat(asked).as("nobody before a round").containsExactly("a", "b", "c", "a", "b", "c");
    }

    @Test
    void clientsOfOneProcessShareInvitations() throws Exception {
        SharedProbeResults<MemberAnswer> answers = new SharedProbeResults<>();
        List<ActiveFinder<String>> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(finder(member -> answer(member).withProbeAfter(Optional.of(Duration.ofMillis(10))), answers));
        }
        Gap gap = simulateGap(clients);
        int invited = 0;
        for (long at = 0; at < gap.nanos(); at += RetryDelays.nanosAfterInvitation(0, at)) {
            invited++;
        }
        assertThat(gap.questions()).isBetween(1, 2 * gap.maxProbesPerClient() + 3 * invited);
    }

    private static MemberAnswer invitingAnswer(int millis) {
        return MemberAnswer.inOtherState("standby").withProbeAfter(Optional.of(Duration.ofMillis(millis)));
    }

    @Test
    void ignoresSharedAnswerFromBeforeLossOfActive() throws Exception {
        SharedProbeResults<MemberAnswer> answers = new SharedProbeResults<>();
        active.set("a");
        ActiveFinder<String> one = finder(this::answer, answers);
        ActiveFinder<String> other = finder(this::answer, answers);
        assertThat(one.awaitActive(secondsFromStart(10))).isEqualTo("a");
        assertThat(other.awaitActive(secondsFromStart(10))).isEqualTo("a");
        active.set("b");
        // What "a" said to the other one a moment ago was true then.
        one.markInactive("a");
        assertThat(one.awaitActive(secondsFromStart(10))).isEqualTo("b");
    }

    @Test
    void clientUnableToProbeDoesNotPreventOthersFromProbing() throws Exception {
        SharedProbeResults<MemberAnswer> answers = new SharedProbeResults<>();
        active.set("c");
        CountDownLatch asked = new CountDownLatch(3);
        CountDownLatch goOn = new CountDownLatch(1);
        ActiveFinder<String> withoutTicket = finder(
                member -> {
                    asked.countDown();
                    try {
                        goOn.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    throw new IOException("the ticket ran out");
                },
                answers);
        Future<String> blind = threads.submit(() -> withoutTicket.awaitActive(secondsFromStart(40)));
        asked.await();
        Future<String> search =
                threads.submit(() -> finder(this::answer, answers).awaitActive(secondsFromStart(40)));
        goOn.countDown();
        assertThat(search.get()).isEqualTo("c");
        // It learns from the other one, or not at all.
        blind.cancel(true);
    }

    /** So many clients of one process look for the active, of which "a" is none; gives how often it was asked until one is found. */
    private int probesOfA(MemberProbe<String> a) throws Exception {
        AtomicInteger toA = new AtomicInteger();
        SharedProbeResults<MemberAnswer> answers = new SharedProbeResults<>();
        MemberProbe<String> probe = member -> {
            if (member.equals("a")) {
                toA.incrementAndGet();
                return a.probe(member);
            }
            return answer(member);
        };
        List<Future<String>> searches = new ArrayList<>();
        for (int i = 0; i < CLIENTS / 10; i++) {
            ActiveFinder<String> finder = finder(probe, answers, TIMEOUT_NANOS);
            searches.add(threads.submit(() -> finder.awaitActive(secondsFromStart(40))));
        }
        long longEnough = System.nanoTime() + 4 * TIMEOUT_NANOS;
        await().until(() -> System.nanoTime() - longEnough > 0);
        active.set("c");
        for (Future<String> search : searches) {
            assertThat(search.get()).isEqualTo("c");
        }
        System.out.println("questions to one member, of " + CLIENTS / 10 + " clients of one process: " + toA);
        return toA.get();
    }

    @Test
    void sharedProbeIsRetriedOnceAfterTimeout() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(probesOfA(member -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    return MemberAnswer.none("interrupted");
                }))
                .isLessThanOrEqualTo(FEW);
    }

    @Test
    void sharedProbeIsRetriedOnceAfterError() throws Exception {
        assertThat(probesOfA(member -> {
                    throw new IOException("connection refused");
                }))
                .isLessThanOrEqualTo(FEW);
    }

    @Test
    void lateAnswerCountsAfterNextProbe() throws Exception {
        AtomicInteger toC = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        ActiveFinder<String> finder = finder(
                member -> {
                    if (!member.equals("c")) {
                        return answer(member);
                    }
                    boolean first = toC.incrementAndGet() == 1;
                    await().until(() -> toC.get() > 1);
                    if (!first) {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    return MemberAnswer.active();
                },
                new SharedProbeResults<>(),
                TIMEOUT_NANOS);
        assertThat(finder.awaitActive(secondsFromStart(20))).isEqualTo("c");
    }

    @Test
    void slowMemberIsProbedRarely() throws Exception {
        List<Long> asked = new CopyOnWriteArrayList<>();
        List<Long> answered = new CopyOnWriteArrayList<>();
        AtomicInteger toQuick = new AtomicInteger();
        ActiveFinder<String> finder = finder(
                member -> {
                    if (member.equals("a")) {
                        asked.add(System.nanoTime());
                        try {
                            TimeUnit.MILLISECONDS.sleep(80);
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                        answered.add(System.nanoTime());
                    } else if (member.equals("b")) {
                        toQuick.incrementAndGet();
                    }
                    return answer(member);
                },
                new SharedProbeResults<>(),
                EVER);
        Future<String> search = threads.submit(() -> finder.awaitActive(secondsFromStart(40)));
        await().atMost(Duration.ofSeconds(30)).until(() -> toQuick.get() >= 10 && answered.size() >= 4);
        active.set("a");
        assertThat(search.get()).isEqualTo("a");
        for (int i = 1; i < 4; i++) {
            long took = answered.get(i - 1) - asked.get(i - 1);
            assertThat(asked.get(i) - answered.get(i - 1))
                    .isGreaterThanOrEqualTo(RetryDelays.nanosAfterSlowAnswer(took));
        }
    }

    @Test
    void memberWithPendingProbeNeitherBlocksSearchNorIsReprobed() throws Exception {
        AtomicInteger askedA = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        ActiveFinder<String> finder = finder(
                member -> {
                    if (member.equals("a")) {
                        askedA.incrementAndGet();
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    return answer(member);
                },
                new SharedProbeResults<>(),
                EVER);
        Future<String> search = threads.submit(() -> finder.awaitActive(secondsFromStart(20)));
        await().until(() -> questionsToOthers.get() >= 6);
        active.set("b");
        assertThat(search.get()).isEqualTo("b");
        assertThat(askedA).hasValue(1);
    }

    @Test
    void waitingThreadTakesOverSearchFromCancelledThread() throws Exception {
        ActiveFinder<String> finder = finder(this::answer);
        Future<String> first = threads.submit(() -> finder.awaitActive(secondsFromStart(20)));
        await().until(() -> questionsToOthers.get() >= 3);
        Future<String> second = threads.submit(() -> finder.awaitActive(secondsFromStart(20)));
        first.cancel(true);
        int requestCount = questionsToOthers.get();
        await().until(() -> questionsToOthers.get() >= requestCount + 6);
        active.set("c");
        assertThat(second.get()).isEqualTo("c");
    }

    @Test
    void secondClaimantDoesNotReplaceRespondingActive() {
        active.set("a");
        AtomicInteger claims = new AtomicInteger();
        ManualExecutor questions = new ManualExecutor();
        ActiveFinder<String> finder = new ActiveFinder<>(
                () -> Arrays.asList("a", "b"),
                member -> {
                    if (member.equals("b")) {
                        claims.incrementAndGet();
                        return MemberAnswer.active();
                    }
                    return answer(member);
                },
                questions,
                new SharedProbeResults<>(),
                times -> times * BUSY_NANOS,
                EVER,
                EVER);
        finder.probeAll(0);
        questions.tasks.remove().run();
        // The other one answers after the active, and then before it.
        await().until(() -> {
            assertThat(finder.knownActive()).contains("a");
            while (!questions.tasks.isEmpty()) {
                questions.tasks.removeLast().run();
                assertThat(finder.knownActive()).contains("a");
            }
            finder.probeAll(0);
            return claims.get() >= 3;
        });
    }

    /** Asks when the test does it. */
    private static class ManualExecutor extends AbstractExecutorService {
        private final Deque<Runnable> tasks = new ArrayDeque<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }

    @Test
    void fallsBackToAnyMemberImmediatelyWhenAllRefuse() throws Exception {
        AtomicInteger questions = new AtomicInteger();
        ActiveFinder<String> finder = finder(member -> {
            questions.incrementAndGet();
            return member.equals("b") ? MemberAnswer.none("gone") : MemberAnswer.refused("no ticket");
        });
        assertThat(finder.awaitActive(secondsFromStart(40))).isIn("a", "c");
        int first = questions.get();
        assertThat(finder.awaitActive(secondsFromStart(40))).isIn("a", "c");
        assertThat(questions.get()).isGreaterThan(first);
        assertThat(questions).hasValueLessThanOrEqualTo(FEW);
        assertThat(finder.knownActive()).isEmpty();
    }

    @Test
    void waitsForAnotherMemberWhenOneRefuses() throws Exception {
        ActiveFinder<String> finder =
                finder(member -> member.equals("a") ? MemberAnswer.refused("its keytab is bad") : answer(member));
        Future<String> search = threads.submit(() -> finder.awaitActive(secondsFromStart(40)));
        await().until(() -> questionsToOthers.get() >= 10);
        assertThat(search.isDone()).isFalse();
        active.set("c");
        assertThat(search.get()).isEqualTo("c");
    }

    @Test
    void unresponsiveMemberDelaysRefusalOnlyUntilTimeout() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        ActiveFinder<String> finder = finder(
                member -> {
                    if (member.equals("b")) {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    }
                    return MemberAnswer.refused("no ticket");
                },
                new SharedProbeResults<>(),
                TIMEOUT_NANOS);
        long began = System.nanoTime();
        assertThat(finder.awaitActive(secondsFromStart(40))).isIn("a", "c");
        assertThat(System.nanoTime() - began).isGreaterThanOrEqualTo(TIMEOUT_NANOS);
    }

    /** Of three members "b" says nothing from some time on; the others refuse the client then. */
    private final class UnresponsiveB implements MemberProbe<String> {
        final AtomicInteger toB = new AtomicInteger();
        private final CountDownLatch never = new CountDownLatch(1);
        private final boolean configured;
        private volatile boolean silent;

        UnresponsiveB(boolean configured, boolean silent) {
            this.configured = configured;
            this.silent = silent;
        }

        @Override
        public MemberAnswer probe(String member) {
            if (!silent) {
                return answer(member);
            }
            if (member.equals("b")) {
                toB.incrementAndGet();
                try {
                    never.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return MemberAnswer.refused("no ticket");
        }

        @Override
        public boolean isConfigured(String member) {
            return configured || !member.equals("b");
        }
    }

    @ParameterizedTest(name = "configured {0}, answered before {1}: counts {2}")
    @CsvSource({"true, false, true", "true, true, true", "false, true, true", "false, false, false"})
    void ignoresSilenceOfLearnedMemberThatNeverAnswered(boolean configured, boolean answeredBefore, boolean counts)
            throws Exception {
        UnresponsiveB probe = new UnresponsiveB(configured, !answeredBefore);
        ActiveFinder<String> finder = finder(probe, new SharedProbeResults<>(), TIMEOUT_NANOS);
        if (answeredBefore) {
            active.set("a");
            finder.awaitActive(secondsFromStart(20));
            await().until(() -> finder.describe().contains("b: standby"));
            probe.silent = true;
            finder.markInactive("a");
        }

        finder.awaitActive(secondsFromStart(20));
        await().until(() -> probe.toB.get() > 0);
        long longEnough = System.nanoTime() + 2 * TIMEOUT_NANOS;
        await().until(() -> System.nanoTime() - longEnough > 0);

        assertThat(finder.silentCount()).isEqualTo(counts ? 1 : 0);
    }

    @Test
    void unresponsiveLearnedMemberDoesNotDelayRefusal() throws Exception {
        assertThat(finder(new UnresponsiveB(false, true), new SharedProbeResults<>(), EVER)
                        .awaitActive(secondsFromStart(30)))
                .isIn("a", "c");
        assertThatThrownBy(() -> finder(new UnresponsiveB(true, true), new SharedProbeResults<>(), EVER)
                        .awaitActive(secondsFromStart(1)))
                .isInstanceOf(TimeoutException.class);
    }

    @Test
    void ignoresRefusalGivenToAnotherClient() throws Exception {
        SharedProbeResults<MemberAnswer> answers = new SharedProbeResults<>();
        CountDownLatch asked = new CountDownLatch(3);
        CountDownLatch goOn = new CountDownLatch(1);
        ActiveFinder<String> withoutTicket = finder(
                member -> {
                    asked.countDown();
                    await().until(() -> goOn.getCount() == 0);
                    return MemberAnswer.refused("the ticket ran out");
                },
                answers);
        Future<String> refused = threads.submit(() -> withoutTicket.awaitActive(secondsFromStart(40)));
        asked.await();
        active.set("c");
        Future<String> search =
                threads.submit(() -> finder(this::answer, answers).awaitActive(secondsFromStart(40)));
        goOn.countDown();
        assertThat(search.get()).isEqualTo("c");
        assertThat(refused).succeedsWithin(60, TimeUnit.SECONDS);
    }

    @Test
    void waitsForUnresponsiveMemberThatMayAcceptClient() throws Exception {
        AtomicReference<String> lettingIn = new AtomicReference<>("a");
        AtomicInteger refusals = new AtomicInteger();
        ActiveFinder<String> finder = finder(
                member -> {
                    if (member.equals(lettingIn.get())) {
                        return MemberAnswer.active();
                    }
                    if (member.equals("b")) {
                        refusals.incrementAndGet();
                        return MemberAnswer.refused("unknown token");
                    }
                    return MemberAnswer.none("gone");
                },
                new SharedProbeResults<>(),
                EVER);
        assertThat(finder.awaitActive(secondsFromStart(40))).isEqualTo("a");
        lettingIn.set("");
        finder.markInactive("a");
        int before = refusals.get();
        Future<String> search = threads.submit(() -> finder.awaitActive(secondsFromStart(40)));
        await().until(() -> refusals.get() >= before + 3);
        assertThat(search.isDone()).isFalse();
        lettingIn.set("c");
        assertThat(search.get()).isEqualTo("c");
    }

    @Test
    void busyMemberIsProbedWithGrowingBackoff() throws Exception {
        AtomicInteger toBusy = new AtomicInteger();
        ActiveFinder<String> finder = finder(member -> {
            if (member.equals("a")) {
                toBusy.incrementAndGet();
                return MemberAnswer.busy("too many");
            }
            return answer(member);
        });
        Future<String> search = threads.submit(() -> finder.awaitActive(secondsFromStart(40)));
        await().until(() -> questionsToOthers.get() >= 10);
        assertThat(toBusy).hasValue(1);
        active.set("b");
        assertThat(search.get()).isEqualTo("b");
    }

    @Test
    void probeFailedByOutOfMemoryIsRetriedImmediately() throws Exception {
        AtomicInteger questions = new AtomicInteger();
        active.set("a");
        ActiveFinder<String> finder = finder(
                member -> {
                    if (questions.incrementAndGet() <= 3) {
                        throw new OutOfMemoryError("Java heap space");
                    }
                    return answer(member);
                },
                new SharedProbeResults<>(),
                EVER);

        assertThat(finder.awaitActive(secondsFromStart(20))).isEqualTo("a");
    }
}

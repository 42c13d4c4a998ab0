/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process that was short of memory or threads for a moment finds its way as before. */
@Timeout(120)
class HungCallDetectorTest {
    private static final long SUSPECT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    /** Longer than it takes to notice a hang, also on a busy machine. */
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(6);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService one = Executors.newSingleThreadScheduledExecutor();
    private final AtomicReference<String> active = new AtomicReference<>("a");
    private final AtomicBoolean isShort = new AtomicBoolean();
    private final AtomicInteger shortages = new AtomicInteger();

    @AfterEach
    void end() {
        one.shutdownNow();
        threads.shutdownNow();
    }

    @Test
    void detectorSurvivesTemporaryShortage() throws Exception {
        ActiveFinder<String> finder = finder(() -> {
            failIfShort();
            return List.of("a", "b");
        });
        finder.awaitActive(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        HungCallDetector<String> watch = new HungCallDetector<>(one, finder, SUSPECT_NANOS, Long.MAX_VALUE / 2);

        InFlightCall<String> call = watch.begin("a");
        isShort.set(true);
        await().until(() -> shortages.get() == 1);
        active.set("b");

        assertThatThrownBy(() -> TimeUnit.SECONDS.sleep(20)).isInstanceOf(InterruptedException.class);
        assertThat(watch.end(call)).isEqualTo(InFlightCall.EndReason.LEFT);
    }

    /** It knows when it may take over from a member that hangs: rounds of questions would find it up to 0.4 s later. */
    @Test
    void invitingMemberIsProbedMoreOftenWhileActiveIsUnresponsive() throws Exception {
        AtomicBoolean hangs = new AtomicBoolean();
        AtomicInteger toB = new AtomicInteger();
        AtomicInteger toC = new AtomicInteger();
        ActiveFinder<String> finder = finder(() -> List.of("a", "b", "c"), member -> {
            if (member.equals("a")) {
                if (hangs.get()) {
                    neverAnswer();
                }
                return MemberAnswer.active();
            }
            if (member.equals("b")) {
                return toB.incrementAndGet() - toC.get() > 4 ? MemberAnswer.active() : invitingAnswer(10);
            }
            toC.incrementAndGet();
            return MemberAnswer.inOtherState("standby");
        });
        finder.awaitActive(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        HungCallDetector<String> watch = new HungCallDetector<>(one, finder, SUSPECT_NANOS, Long.MAX_VALUE / 2);

        hangs.set(true);
        InFlightCall<String> call = watch.begin("a");

        assertThatThrownBy(() -> TimeUnit.SECONDS.sleep(50)).isInstanceOf(InterruptedException.class);
        assertThat(watch.end(call)).isEqualTo(InFlightCall.EndReason.LEFT);
        assertThat(finder.knownActive()).contains("b");
    }

    @Test
    void detectsHungCallDespiteOlderSlowCall() throws Exception {
        AtomicLong lastToA = new AtomicLong(System.nanoTime());
        AtomicBoolean hangs = new AtomicBoolean();
        ActiveFinder<String> finder = finder(() -> List.of("a", "b"), member -> {
            if (member.equals("b")) {
                return hangs.get() ? MemberAnswer.active() : MemberAnswer.inOtherState("standby");
            }
            lastToA.set(System.nanoTime());
            if (hangs.get()) {
                neverAnswer();
            }
            return MemberAnswer.active();
        });
        finder.awaitActive(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        HungCallDetector<String> watch = new HungCallDetector<>(one, finder, SUSPECT_NANOS, Long.MAX_VALUE / 2);
        InFlightCall<String> slow = threads.submit(() -> watch.begin("a")).get();
        // The next question about it is due when it has waited twice as long.
        await().until(() -> lastToA.get() - slow.startedNanos() > LONG_NANOS);

        hangs.set(true);
        long slowSince = slow.startedNanos();
        InFlightCall<String> hanging = watch.begin("a");
        assertThatThrownBy(() -> TimeUnit.SECONDS.sleep(50)).isInstanceOf(InterruptedException.class);
        long left = System.nanoTime();
        assertThat(watch.end(hanging)).isEqualTo(InFlightCall.EndReason.LEFT);
        // The slow call's own next question would come after that.
        assertThat(left - hanging.startedNanos()).isLessThan(hanging.startedNanos() - slowSince);
    }

    @Test
    void probesNoMoreOftenWhileSlowActiveAnswers() throws Exception {
        AtomicInteger toA = new AtomicInteger();
        AtomicInteger toB = new AtomicInteger();
        ActiveFinder<String> finder = finder(() -> List.of("a", "b"), member -> {
            if (member.equals("a")) {
                toA.incrementAndGet();
                return MemberAnswer.active();
            }
            toB.incrementAndGet();
            return invitingAnswer(30);
        });
        finder.awaitActive(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        HungCallDetector<String> watch = new HungCallDetector<>(one, finder, SUSPECT_NANOS, Long.MAX_VALUE / 2);

        InFlightCall<String> call = watch.begin("a");
        // Each question comes when the call has waited twice as long.
        await().until(() -> toA.get() >= 6);
        assertThat(watch.end(call)).isEqualTo(InFlightCall.EndReason.BY_ITSELF);
        // As often as it wants, it would be asked fifty times. It may be while the answer of the active is on its way.
        assertThat(toB.get()).isBetween(3, 25);
    }

    /** Its connection is not lost: it is the one of the others. */
    @Test
    void slowCallContinuesWhenMemberAnswersOthersAgain() throws Exception {
        AtomicBoolean silent = new AtomicBoolean();
        AtomicBoolean back = new AtomicBoolean();
        ActiveFinder<String> finder = finder(
                () -> List.of("a"),
                member -> {
                    if (silent.get() && !back.get()) {
                        throw new IOException("no answer");
                    }
                    return MemberAnswer.active();
                },
                0);
        finder.awaitActive(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        HungCallDetector<String> watch = new HungCallDetector<>(one, finder, SUSPECT_NANOS, Long.MAX_VALUE / 2);
        silent.set(true);
        InFlightCall<String> slow = threads.submit(() -> watch.begin("a")).get();
        InFlightCall<String> other = threads.submit(() -> watch.begin("a")).get();
        await().until(() -> !finder.reportedActiveSince("a", slow.startedNanos())
                && finder.describe().contains("no answer"));
        back.set(true);
        await().until(() -> finder.recoveredAtNanos("a").isPresent());

        assertThat(watch.end(other)).isEqualTo(InFlightCall.EndReason.BY_ITSELF);
        await().during(Duration.ofSeconds(3)).until(() -> true);

        assertThat(watch.end(slow)).isEqualTo(InFlightCall.EndReason.BY_ITSELF);
    }

    private static void neverAnswer() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static MemberAnswer invitingAnswer(int millis) {
        return MemberAnswer.inOtherState("standby").withProbeAfter(Optional.of(Duration.ofMillis(millis)));
    }

    private ActiveFinder<String> finder(Supplier<List<String>> members) {
        return finder(
                members,
                member -> member.equals(active.get()) ? MemberAnswer.active() : MemberAnswer.inOtherState("standby"));
    }

    private ActiveFinder<String> finder(Supplier<List<String>> members, MemberProbe<String> probe) {
        return finder(members, probe, TimeUnit.SECONDS.toNanos(5));
    }

    private ActiveFinder<String> finder(Supplier<List<String>> members, MemberProbe<String> probe, long timeoutNanos) {
        return new ActiveFinder<>(
                members,
                probe,
                threads,
                new SharedProbeResults<>(),
                times -> 0,
                timeoutNanos,
                TimeUnit.MILLISECONDS.toNanos(1));
    }

    private void failIfShort() {
        if (isShort.getAndSet(false)) {
            shortages.incrementAndGet();
            throw new OutOfMemoryError("unable to create native thread");
        }
    }
}

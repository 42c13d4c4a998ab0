/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MovedHostsTest {
    private final ScheduledExecutorService watch = Executors.newScheduledThreadPool(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong nanos = new AtomicLong();
    private final InetSocketAddress old = addressAt(1);
    private final InetSocketAddress moved = addressAt(2);

    @AfterEach
    void end() {
        watch.shutdownNow();
        threads.shutdownNow();
    }

    private static InetSocketAddress addressAt(int number) {
        return new InetSocketAddress(address(number), 8020);
    }

    private static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress("nn1.example.com", new byte[] {10, 0, 0, (byte) number});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private MovedHostResolver hosts(MovedHostResolver.NameLookup names) {
        return new MovedHostResolver(names, nanos::get);
    }

    /** Only the new address answers; the old one swallows what it gets. */
    private String answerAtNewAddress(InetSocketAddress triedAddress) throws IOException {
        if (triedAddress.equals(moved)) {
            return "here";
        }
        try {
            new CountDownLatch(1).await();
            throw new AssertionError("nobody counts down");
        } catch (InterruptedException e) {
            throw new InterruptedIOException();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static String refuse(InetSocketAddress triedAddress) throws ConnectException {
        throw new ConnectException(triedAddress.toString());
    }

    @Test
    void probesNewAddressWhenUnresponsiveHostHasMoved() throws IOException {
        MovedHostResolver hosts = hosts(name -> List.of(address(2)));
        assertThat(hosts.query(old, this::answerAtNewAddress, threads, watch)).isEqualTo("here");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertThat(hosts.currentAddress(old)).isEqualTo(moved);
    }

    @Test
    void nextProbeUsesNewAddressWhenRefusingHostHasMoved() throws IOException {
        MovedHostResolver hosts = hosts(name -> List.of(address(2)));
        assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, Runnable::run, watch))
                .isInstanceOf(ConnectException.class);
        assertThat(hosts.query(old, this::answerAtNewAddress, threads, watch)).isEqualTo("here");
    }

    @Test
    void pendingProbeSwitchesAddressWhenLookupEnds() throws Exception {
        CountDownLatch mayAnswer = new CountDownLatch(1);
        AtomicInteger callerLookups = new AtomicInteger();
        MovedHostResolver hosts = hosts(name -> {
            callerLookups.incrementAndGet();
            await(mayAnswer);
            return List.of(address(2));
        });
        Future<String> one = threads.submit(() -> hosts.query(old, this::answerAtNewAddress, threads, watch));
        Future<String> other = threads.submit(() -> hosts.query(old, this::answerAtNewAddress, threads, watch));
        Awaitility.await().until(() -> callerLookups.get() == 1);
        mayAnswer.countDown();
        assertThat(one.get()).isEqualTo("here");
        assertThat(other.get()).isEqualTo("here");
        assertThat(callerLookups).hasValue(1);
    }

    @Test
    void hostCountsAsUnmovedWhenOneAddressIsUnchanged() {
        MovedHostResolver hosts = hosts(name -> List.of(address(3), address(1)));
        assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, Runnable::run, watch))
                .isInstanceOf(ConnectException.class);
        assertThat(hosts.currentAddress(old)).isEqualTo(old);
    }

    @Test
    void triesNextAddressWhenFirstRefuses() throws IOException {
        MovedHostResolver hosts = hosts(name -> List.of(address(3), address(4), address(2)));
        MovedHostResolver.HostQuery<String> onlyAtNewAddress = tried -> tried.equals(moved) ? "here" : refuse(tried);
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> hosts.query(old, onlyAtNewAddress, Runnable::run, watch))
                    .isInstanceOf(ConnectException.class);
        }
        assertThat(hosts.query(old, onlyAtNewAddress, threads, watch)).isEqualTo("here");
        assertThat(hosts.currentAddress(old)).isEqualTo(moved);
    }

    @Test
    void keepsAnsweringAddressWhenLookupReordersAll() throws IOException {
        List<InetAddress> answer = new ArrayList<>(List.of(address(3), address(2)));
        MovedHostResolver hosts = hosts(name -> List.copyOf(answer));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, Runnable::run, watch));
        }
        assertThat(hosts.currentAddress(old)).isEqualTo(moved);
        answer.clear();
        answer.addAll(List.of(address(4), address(2), address(3)));
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        hosts.query(old, tried -> "here", Runnable::run, watch);
        assertThat(hosts.currentAddress(old)).isEqualTo(moved);
    }

    @Test
    void probeSwitchesAddressAgainWhenHostMovesDuringLookup() throws IOException {
        List<InetAddress> answer = new ArrayList<>(List.of(address(3)));
        MovedHostResolver hosts = hosts(name -> {
            List<InetAddress> found = List.copyOf(answer);
            answer.set(0, address(2));
            // The next look-up is not too soon.
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            return found;
        });
        assertThat(hosts.query(old, this::answerAtNewAddress, threads, watch)).isEqualTo("here");
    }

    @Test
    void lookupPauseContinuesWhenOtherNameNodeAnswers() throws IOException {
        AtomicInteger callerLookups = new AtomicInteger();
        MovedHostResolver hosts = hosts(name -> {
            callerLookups.incrementAndGet();
            return List.of(address(1));
        });
        InetSocketAddress other = new InetSocketAddress(old.getAddress(), 8021);
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, Runnable::run, watch));
            hosts.query(other, tried -> "here", Runnable::run, watch);
        }
        assertThat(callerLookups).hasValue(1);
    }

    @Test
    void preservesInterruptWhenAbandoningQuery() {
        InFlightCall<String> call = new InFlightCall<>("nn1");
        Thread.currentThread().interrupt();
        call.abort(InFlightCall.EndReason.LOST);
        assertThat(call.end()).isEqualTo(InFlightCall.EndReason.LOST);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void keepsLastAddressWhenLookupFails() {
        List<InetAddress> answer = new ArrayList<>(List.of(address(2)));
        MovedHostResolver hosts = hosts(name -> List.copyOf(answer));
        assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, Runnable::run, watch));
        answer.clear();
        nanos.addAndGet(Duration.ofMinutes(1).toNanos());
        assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, Runnable::run, watch));
        assertThat(hosts.currentAddress(old)).isEqualTo(moved);
    }

    @Test
    void respondingHostOrLiteralAddressIsNotResolvedAgain() throws IOException {
        MovedHostResolver hosts = hosts(name -> {
            throw new AssertionError(name);
        });
        String answer = hosts.query(old, tried -> "here", Runnable::run, watch);
        assertThat(answer).isEqualTo("here");
        InetSocketAddress literal = InetSocketAddress.createUnresolved("10.0.0.1", 8020);
        assertThatThrownBy(() -> hosts.query(literal, MovedHostsTest::refuse, Runnable::run, watch))
                .isInstanceOf(ConnectException.class);
    }

    /** Each look-up is a process, and there may be thousands of clients. */
    @Test
    void lookupsSlowDownWhileHostStaysUnresponsive() throws IOException {
        List<Long> secondsOfLookUps = new ArrayList<>();
        MovedHostResolver hosts = hosts(name -> {
            secondsOfLookUps.add(Duration.ofNanos(nanos.get()).toSeconds());
            return List.of(address(1));
        });
        query(hosts, 60);
        assertThat(secondsOfLookUps).containsExactly(0L, 2L, 4L, 6L, 8L, 10L, 13L, 17L, 22L, 28L, 35L, 44L, 54L);

        secondsOfLookUps.clear();
        hosts.query(old, tried -> "here", Runnable::run, watch);
        query(hosts, 3);
        assertThat(secondsOfLookUps).containsExactly(60L, 62L);
    }

    private void query(MovedHostResolver hosts, int seconds) {
        for (int i = 0; i < seconds; i++) {
            Executor atOnce = Runnable::run;
            assertThatThrownBy(() -> hosts.query(old, MovedHostsTest::refuse, atOnce, watch))
                    .isInstanceOf(ConnectException.class);
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }
    }

    @Test
    void systemAddressesKeepJvmOrder() throws IOException {
        InetAddress four = address(1);
        InetAddress six = InetAddress.getByName("2001:db8::1");
        assertThat(SystemLookup.sortByPreference(List.of(six, four), null)).containsExactly(four, six);
        assertThat(SystemLookup.sortByPreference(List.of(six, four), "false")).containsExactly(four, six);
        assertThat(SystemLookup.sortByPreference(List.of(four, six), "true")).containsExactly(six, four);
        assertThat(SystemLookup.sortByPreference(List.of(six, four), "system")).containsExactly(six, four);
    }

    @Test
    void systemResolvesLocalHost() {
        assertThat(SystemLookup.lookUp("localhost")).anyMatch(InetAddress::isLoopbackAddress);
        assertThat(SystemLookup.lookUp("nobody.invalid")).isEmpty();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.ipc.ObserverRetryOnActiveException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.ConnectTimeoutException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/**
 * What stock clients survive ours survive, and what stock clients fail at at once ours do, too: each case of the table in {@code
 * docs/design/smart-client.md}, for both, with HDFS's own retry policy around both and its waits a small part of what they
 * are. All that clients do is wait, so a few do it at a time, each with a group of its own.
 */
@Timeout(120)
class StockComparisonTest {
    private static final int MAX_FAILOVERS = 15;
    private static final long WAIT_BASE_MILLIS = 20;
    private static final long WAIT_MOST_MILLIS = 200;
    /** The longest that stock waits: half as long again as its waits are on average. */
    private static final long STOCK_LONGEST_MILLIS = 15 * (40 + 80 + 160 + 11 * WAIT_MOST_MILLIS) / 10;
    /** What a machine that is busy may add: less than the minutes that a client waits who does not know these settings. */
    private static final long SLACK_MILLIS = 30_000;
    /** In cases in which no client is to wait, all waits and time-outs are so many times as long. */
    private static final int LONG_WAITS = 100;
    /** No client waits as little as this then, if it waits to the end. */
    private static final long PROMPT_MILLIS = 30_000;

    private static final int RPC_TIMEOUT_MILLIS = 1_500;

    private static final int CONCURRENT_CLIENTS = 4;

    private final ExecutorService clients = Executors.newFixedThreadPool(CONCURRENT_CLIENTS);
    private final ExecutorService laters = Executors.newCachedThreadPool();

    /** What a client does. */
    private interface Call {
        Object invoke(ClientProtocol client) throws IOException;
    }

    /** Makes the NameNodes what the case wants, and may change them while the call runs. */
    private interface ScenarioSetup {
        void setUp(FakeGroup group, Configuration conf, Executor executor) throws IOException;
    }

    private static final Call IDEMPOTENT = client -> client.mkdirs("/a", FsPermission.getDirDefault(), true);
    private static final Call AT_MOST_ONCE = client -> client.delete("/a", true);
    private static final Call READ = client -> client.getPreferredBlockSize("/a");

    /** How a call ended. */
    private record Outcome(Throwable failure, long millis, int sentCount, int requests) {
        boolean isSuccess() {
            return failure == null;
        }
    }

    private enum ExpectedEnding {
        /** Both are answered. */
        SUCCESS,
        /** Both are told at once that it cannot be. */
        AT_ONCE,
        /** Stock gives up, ours is answered. */
        ONLY_OURS,
        /** Both give up when their timeout is over. */
        IN_THE_END
    }

    private record Case(String name, Call call, ExpectedEnding ending, ScenarioSetup scene) {}

    /** The first call in a JVM takes a second or two on a busy machine, longer than the times that are tested. */
    @BeforeAll
    static void warmUp() throws IOException {
        try (FakeGroup group = new FakeGroup(1)) {
            group.makeActive(1);
            IDEMPOTENT.invoke(group.client());
        }
    }

    @AfterEach
    void end() {
        clients.shutdownNow();
        laters.shutdownNow();
    }

    private static void restore(FakeGroup group) {
        group.nameNodes().forEach(nameNode -> FaultySockets.repair(nameNode.port()));
    }

    private static void setDoorOnAll(FakeGroup group, FakeNameNode.RequestHook door) {
        group.nameNodes().forEach(nameNode -> nameNode.setRequestHook(door));
    }

    private static FakeNameNode.Behaviour failing(String caseName, int times, IOException cause) {
        AtomicInteger left = new AtomicInteger(times);
        return path -> {
            if (left.getAndDecrement() > 0) {
                throw cause;
            }
            return !caseName.isEmpty();
        };
    }

    private static Case answerCase(String caseName, IOException cause) {
        return new Case(caseName, IDEMPOTENT, ExpectedEnding.AT_ONCE, (group, conf, later) -> {
            group.makeActive(1);
            group.nameNode(1).setBehaviour(failing(caseName, Integer.MAX_VALUE, cause));
        });
    }

    private static Case answerOfAllCase(String caseName, IOException cause) {
        return new Case(
                caseName,
                IDEMPOTENT,
                ExpectedEnding.AT_ONCE,
                (group, conf, later) -> setDoorOnAll(group, () -> {
                    throw cause;
                }));
    }

    private static Case oneSocketFailsCase(String caseName, Supplier<IOException> reason) {
        return new Case(
                "the first in the file: " + caseName, AT_MOST_ONCE, ExpectedEnding.SUCCESS, (group, conf, later) -> {
                    FaultySockets.fault(group.nameNode(1).port(), reason);
                    group.makeActive(2);
                });
    }

    private static Case allSocketsFailCase(String caseName, Supplier<IOException> reason) {
        return new Case(
                "all: " + caseName, IDEMPOTENT, ExpectedEnding.IN_THE_END, (group, conf, later) -> group.nameNodes()
                        .forEach(nameNode -> FaultySockets.fault(nameNode.port(), reason)));
    }

    /** The active is through with the call, and is gone before it can say so. */
    private static Case dyingActiveCase(String caseName, Call call) {
        return new Case(caseName, call, ExpectedEnding.SUCCESS, (group, conf, later) -> {
            group.makeActive(1);
            CountDownLatch executed = new CountDownLatch(1);
            group.nameNode(1).setBehaviour(path -> {
                executed.countDown();
                return new CompletableFuture<Boolean>().join();
            });
            later.execute(() -> {
                awaitLatch(executed);
                // First, as stock would not wait long for it afterwards.
                group.makeActive(2);
                group.nameNode(1).close();
            });
        });
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Case hangingActiveCase(String caseName, Call call) {
        return new Case(caseName, call, ExpectedEnding.SUCCESS, (group, conf, later) -> {
            group.makeActive(1);
            group.nameNode(1).freeze();
            runAfter(later, 3 * RPC_TIMEOUT_MILLIS / 2, group.nameNode(1)::thaw);
        });
    }

    private static void runAfter(Executor executor, long millis, Runnable action) {
        executor.execute(() ->
                CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(action));
    }

    /**
     * By the thread that asks in vain for that many times. Stock gives up after {@value #MAX_FAILOVERS} failovers, whose waits are drawn:
     * no time is surely before its last one and long after its first, and another thread may come too late.
     */
    private static Runnable runAfterManyAttempts(Runnable action) {
        AtomicInteger asked = new AtomicInteger();
        return () -> {
            if (asked.incrementAndGet() == MAX_FAILOVERS / 2) {
                action.run();
            }
        };
    }

    /** Also before the last call that stock sends, lest that one is too early on a busy machine. */
    private static void runJustBeforeStockTimeout(Executor executor, FakeGroup group, Runnable action) {
        runAfter(executor, STOCK_LONGEST_MILLIS / 3, action);
        setDoorOnAll(group, () -> {
            if (group.nameNodes().stream().mapToInt(FakeNameNode::refusalCount).sum() >= MAX_FAILOVERS - 1) {
                action.run();
            }
        });
    }

    private static List<Case> commonCases() {
        return List.of(
                answerCase("the active: no such file", new FileNotFoundException("no parent")),
                answerCase("the active: no permission for this file", new AccessControlException("not yours")),
                answerCase("the active: safe mode, set by hand", new SafeModeException("by hand")),
                answerCase("the active: an error of its own", new IOException("a disk broke")),
                new Case(
                        "the active: later, three times",
                        AT_MOST_ONCE,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> {
                            group.makeActive(1);
                            group.nameNode(1)
                                    .setBehaviour(failing("busy", 3, new RetriableException("Server too busy")));
                        }),
                new Case(
                        "the active: in safe mode after its start, then through",
                        IDEMPOTENT,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> {
                            group.makeActive(1);
                            group.nameNode(1)
                                    .setBehaviour(failing(
                                            "safe mode", 4, new RetriableException(new SafeModeException("starting"))));
                        }),
                new Case("the active: later, for ever", IDEMPOTENT, ExpectedEnding.IN_THE_END, (group, conf, later) -> {
                    group.makeActive(1);
                    group.nameNode(1)
                            .setBehaviour(
                                    failing("busy", Integer.MAX_VALUE, new RetriableException("Server too busy")));
                }),
                new Case(
                        "the active: too busy for any request, then not",
                        IDEMPOTENT,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> {
                            group.makeActive(1);
                            AtomicInteger left = new AtomicInteger(5);
                            group.nameNode(1).setRequestHook(() -> {
                                if (left.getAndDecrement() > 0) {
                                    throw new RetriableException("Server too busy");
                                }
                            });
                        }),
                new Case(
                        "the active: 'too busy, go elsewhere', twice",
                        IDEMPOTENT,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> {
                            group.makeActive(1);
                            group.nameNode(1)
                                    .setBehaviour(
                                            failing("busy", 2, new StandbyException("Server too busy - failover")));
                        }),
                new Case(
                        "the active: 'too busy, go elsewhere', for ever",
                        IDEMPOTENT,
                        ExpectedEnding.IN_THE_END,
                        (group, conf, later) -> {
                            group.makeActive(1);
                            group.nameNode(1)
                                    .setBehaviour(
                                            failing("busy", Integer.MAX_VALUE, new StandbyException("go elsewhere")));
                        }),
                new Case(
                        "a standby is first in the file",
                        IDEMPOTENT,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> group.makeActive(2)),
                new Case(
                        "all are standbys, then one is active",
                        AT_MOST_ONCE,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) ->
                                setDoorOnAll(group, runAfterManyAttempts(() -> group.makeActive(2))::run)),
                new Case(
                        "all are standbys, nearly as long as stock waits",
                        IDEMPOTENT,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> runJustBeforeStockTimeout(later, group, () -> group.makeActive(2))),
                new Case("all are standbys", IDEMPOTENT, ExpectedEnding.IN_THE_END, (group, conf, later) -> {}),
                allSocketsFailCase("connection refused", () -> new ConnectException("Connection refused")),
                allSocketsFailCase("no route", () -> new NoRouteToHostException("No route to host")),
                allSocketsFailCase("unknown host", () -> new UnknownHostException("who is that")),
                allSocketsFailCase("no answer to a connection", () -> new SocketTimeoutException("connect timed out")),
                oneSocketFailsCase("connection refused", () -> new ConnectException("Connection refused")),
                oneSocketFailsCase("no route", () -> new NoRouteToHostException("No route to host")),
                oneSocketFailsCase("unknown host", () -> new UnknownHostException("who is that")),
                oneSocketFailsCase(
                        "no answer to a connection", () -> new ConnectTimeoutException("20000 millis timeout")),
                new Case(
                        "all refuse connections, then one comes up",
                        IDEMPOTENT,
                        ExpectedEnding.SUCCESS,
                        (group, conf, later) -> {
                            Runnable mending = runAfterManyAttempts(() -> restore(group));
                            group.nameNodes()
                                    .forEach(nameNode -> FaultySockets.fault(nameNode.port(), () -> {
                                        mending.run();
                                        return new ConnectException("Connection refused");
                                    }));
                            group.makeActive(2);
                        }),
                dyingActiveCase("dies in mid-call, idempotent", IDEMPOTENT),
                dyingActiveCase("dies in mid-call, at most once", AT_MOST_ONCE),
                hangingActiveCase("hangs for longer than the time-out of a call, idempotent", IDEMPOTENT),
                hangingActiveCase("hangs for longer than the time-out of a call, at most once", AT_MOST_ONCE),
                answerOfAllCase(
                        "all: not allowed in", new AuthorizationException("User is not authorized for protocol")),
                answerOfAllCase("all: no permission", new AccessControlException("no")),
                answerOfAllCase("all: a token that was cancelled", new InvalidToken("token is expired")),
                new Case(
                        "the active: a token that was cancelled; the others cannot tell",
                        IDEMPOTENT,
                        ExpectedEnding.AT_ONCE,
                        (group, conf, later) -> {
                            setDoorOnAll(group, () -> {
                                throw new StandbyException("Operation category READ is not supported");
                            });
                            group.nameNode(1).setRequestHook(() -> {
                                throw new InvalidToken("token is expired");
                            });
                        }),
                new Case(
                        "not allowed in, and the others are gone",
                        IDEMPOTENT,
                        ExpectedEnding.AT_ONCE,
                        (group, conf, later) -> {
                            setDoorOnAll(group, () -> {
                                throw new AuthorizationException("not authorized");
                            });
                            FaultySockets.fault(group.nameNode(2).port(), () -> new ConnectException("refused"));
                        }));
    }

    private static Case observerCase(String caseName, ExpectedEnding ending, ScenarioSetup scene) {
        return new Case("observer: " + caseName, READ, ending, (group, conf, later) -> {
            for (FakeNameNode nameNode : group.nameNodes()) {
                nameNode.apply(100);
            }
            group.makeActive(1);
            group.nameNode(2).become(HAServiceState.OBSERVER);
            scene.setUp(group, conf, later);
        });
    }

    private static List<Case> observerCases() {
        return List.of(
                observerCase("answers", ExpectedEnding.SUCCESS, (group, conf, later) -> {}),
                observerCase("has no locations", ExpectedEnding.SUCCESS, (group, conf, later) -> group.nameNode(2)
                        .setReadHook(() -> {
                            throw new ObserverRetryOnActiveException("no locations");
                        })),
                observerCase("is a standby now", ExpectedEnding.SUCCESS, (group, conf, later) -> group.nameNode(2)
                        .become(HAServiceState.STANDBY)),
                observerCase("is behind, or busy", ExpectedEnding.SUCCESS, (group, conf, later) -> group.nameNode(2)
                        .setReadHook(() -> {
                            throw new RetriableException("too far behind");
                        })),
                observerCase("is gone", ExpectedEnding.SUCCESS, (group, conf, later) -> group.nameNode(2)
                        .close()),
                observerCase("is frozen", ExpectedEnding.ONLY_OURS, (group, conf, later) -> {
                    conf.setInt("dfs.client.failover.max.attempts", 3);
                    group.nameNode(2).setReadHook(() -> new CountDownLatch(1).await(60, TimeUnit.SECONDS));
                }),
                observerCase("no such file", ExpectedEnding.AT_ONCE, (group, conf, later) -> {
                    for (FakeNameNode nameNode : group.nameNodes()) {
                        nameNode.setReadHook(() -> {
                            throw new FileNotFoundException("no such file");
                        });
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> changesAndReadsOfTheActive() {
        return besideStock(commonCases(), ConfiguredFailoverProxyProvider.class, SmartFailoverProxyProvider.class);
    }

    @Test
    void interruptEndsCallOfBothProviders() throws Exception {
        for (Class<?> provider : List.of(ConfiguredFailoverProxyProvider.class, SmartFailoverProxyProvider.class)) {
            try (FakeGroup group = new FakeGroup(2)) {
                group.makeActive(1);
                group.nameNode(1).freeze();
                Configuration conf = group.configuration();
                conf.set("dfs.client.failover.proxy.provider.group", provider.getName());
                ClientProtocol client = group.client(conf);
                CompletableFuture<Throwable> failure = new CompletableFuture<>();
                Thread caller = new Thread(() -> {
                    try {
                        failure.complete(new AssertionError("it returned " + IDEMPOTENT.invoke(client)));
                    } catch (IOException e) {
                        failure.complete(e);
                    }
                });
                caller.start();
                await().until(() -> group.nameNode(1).requestCount() > 0);
                caller.interrupt();
                assertThat(failure).as(provider.getSimpleName()).succeedsWithin(60, TimeUnit.SECONDS);
                assertThat(failure.get()).as(provider.getSimpleName()).isInstanceOf(InterruptedIOException.class);
            }
        }
    }

    @TestFactory
    Stream<DynamicTest> readsOfObservers() {
        return besideStock(observerCases(), ObserverReadProxyProvider.class, SmartObserverReadProxyProvider.class);
    }

    /** All cases begin now, and each test waits for its own. */
    private Stream<DynamicTest> besideStock(List<Case> cases, Class<?> stockProvider, Class<?> ourProvider) {
        List<DynamicTest> tests = new ArrayList<>();
        for (Case testCase : cases) {
            Future<Outcome> stock = clients.submit(() -> outcome(testCase, stockProvider));
            Future<Outcome> ours = clients.submit(() -> outcome(testCase, ourProvider));
            tests.add(DynamicTest.dynamicTest(testCase.name(), () -> compare(testCase, stock.get(), ours.get())));
        }
        return tests.stream();
    }

    private static void compare(Case testCase, Outcome stock, Outcome ownOutcome) {
        System.out.println(testCase.name() + "\n  stock: " + stock + "\n  ours:  " + ownOutcome);
        switch (testCase.ending()) {
            case SUCCESS -> {
                assertThat(stock.failure()).as("stock").isNull();
                assertThat(ownOutcome.failure()).as("ours").isNull();
            }
            case ONLY_OURS -> {
                assertThat(stock.isSuccess()).as("stock succeeds").isFalse();
                assertThat(ownOutcome.failure()).as("ours").isNull();
            }
            case AT_ONCE -> {
                assertThat(stock.isSuccess()).as("stock succeeds").isFalse();
                assertThat(ownOutcome.isSuccess()).as("ours succeeds").isFalse();
                assertThat(stock.millis()).as("stock").isLessThan(PROMPT_MILLIS);
                assertThat(ownOutcome.millis()).as("ours").isLessThan(PROMPT_MILLIS);
                assertThat(ownOutcome.failure()).as("ours").hasSameClassAs(stock.failure());
            }
            case IN_THE_END -> {
                assertThat(stock.isSuccess()).as("stock succeeds").isFalse();
                assertThat(ownOutcome.isSuccess()).as("ours succeeds").isFalse();
                assertThat(ownOutcome.millis())
                        .as("ours")
                        .isBetween(STOCK_LONGEST_MILLIS / 6, STOCK_LONGEST_MILLIS + SLACK_MILLIS);
            }
        }
        assertThat(ownOutcome.sentCount())
                .as("calls of ours")
                .isLessThanOrEqualTo(Math.max(stock.sentCount(), MAX_FAILOVERS + 1));
        if (testCase.ending() == ExpectedEnding.AT_ONCE) {
            assertThat(ownOutcome.sentCount()).as("calls of ours").isLessThanOrEqualTo(Math.max(1, stock.sentCount()));
        }
    }

    private Outcome outcome(Case testCase, Class<?> provider) throws Exception {
        List<Runnable> whileItRuns = new ArrayList<>();
        FakeGroup group = new FakeGroup(2);
        try {
            Configuration conf = group.configuration();
            conf.set("dfs.client.failover.proxy.provider.group", provider.getName());
            conf.unset("trefoil.client.failover.timeout");
            FakeGroup.isolate(conf);
            int times = testCase.ending() == ExpectedEnding.AT_ONCE ? LONG_WAITS : 1;
            conf.setLong("dfs.client.failover.sleep.base.millis", times * WAIT_BASE_MILLIS);
            conf.setLong("dfs.client.failover.sleep.max.millis", times * WAIT_MOST_MILLIS);
            conf.setInt("dfs.client.failover.max.attempts", MAX_FAILOVERS);
            conf.setInt("ipc.client.rpc-timeout.ms", times * RPC_TIMEOUT_MILLIS);
            conf.setInt("ipc.client.connect.timeout", times * 200);
            conf.set("hadoop.rpc.socket.factory.class.default", FaultySockets.class.getName());
            testCase.scene().setUp(group, conf, whileItRuns::add);
            ClientProtocol client = group.client(conf);
            int before = requestCount(group);
            long began = System.nanoTime();
            Throwable failure = null;
            whileItRuns.forEach(laters::execute);
            try {
                assertThat(testCase.call().invoke(client)).isNotNull();
            } catch (IOException e) {
                failure = e;
            }
            long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
            int requests = group.nameNodes().stream()
                    .mapToInt(FakeNameNode::requestCount)
                    .sum();
            return new Outcome(failure, millis, requestCount(group) - before, requests);
        } finally {
            restore(group);
            group.close();
        }
    }

    private static int requestCount(FakeGroup group) {
        return group.nameNodes().stream()
                .mapToInt(nameNode -> nameNode.operationIds().size() + nameNode.refusalCount())
                .sum();
    }
}

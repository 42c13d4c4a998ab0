/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.agent.AgentTrace;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.journal.pool.Journal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who writes to the log waits for its disk. The agent does not: it has to act on a disk that hangs. */
class HungLogTest {
    private final PrintStream log = System.err;
    private final CountDownLatch thawed = new CountDownLatch(1);
    private final FakeNameNode nameNode = new FakeNameNode();
    private final AgentRunner agent = new AgentRunner(
            AgentSettings.builder().name("nn1").build(),
            new UnreachableZooKeeper(),
            nameNode,
            silentJournal(),
            1,
            AgentTrace.NONE);

    @BeforeEach
    void freezeLogDisk() {
        System.setErr(new PrintStream(new OutputStream() {
            @Override
            public void write(int one) {
                try {
                    thawed.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }));
    }

    @AfterEach
    void thawLogDisk() {
        thawed.countDown();
        System.setErr(log);
        agent.close();
    }

    @Test
    void agentProceedsWhenLogHangs() {
        nameNode.role = HaRole.ACTIVE;
        agent.start();
        await().until(() -> agent.state().stage() == AgentStage.SERVING);

        nameNode.role = HaRole.STANDBY;

        await().until(() -> agent.state().stage() == AgentStage.FOLLOWING);
    }

    @Test
    void processHaltsWhenLogHangs() {
        nameNode.isBroken = true;
        agent.start();

        await().until(() -> nameNode.halted.isPresent());
        assertThat(nameNode.halted.get()).contains("died");
    }

    private static Journal silentJournal() {
        return (Journal) Proxy.newProxyInstance(
                Journal.class.getClassLoader(), new Class<?>[] {Journal.class}, (proxy, method, args) -> {
                    Class<?> answer = method.getReturnType();
                    if (answer == Duration.class) {
                        return Duration.ZERO;
                    }
                    return answer == Optional.class ? Optional.empty() : null;
                });
    }

    /** In whatever role the test wants. */
    private static final class FakeNameNode implements NameNodeControl {
        volatile HaRole role = HaRole.STANDBY;
        volatile boolean isBroken;
        volatile Optional<String> halted = Optional.empty();

        @Override
        public HaRole role() {
            return role;
        }

        @Override
        public long appliedTxId() {
            if (isBroken) {
                throw new IllegalStateException("a bug");
            }
            return 0;
        }

        @Override
        public long lagMillis() {
            return 0;
        }

        @Override
        public boolean isPreparing() {
            return false;
        }

        @Override
        public String unhealthyReason() {
            return "";
        }

        @Override
        public boolean isInSafeMode() {
            return false;
        }

        @Override
        public boolean isBusy() {
            return false;
        }

        @Override
        public void becomeActive() {}

        @Override
        public void becomeStandby() {}

        @Override
        public void changeRole(HaRole role) {}

        @Override
        public void halt(String reason) {
            halted = Optional.of(reason);
        }
    }

    /** Never in reach. */
    private static final class UnreachableZooKeeper implements Coordination {
        @Override
        public void start(Listener listener) {}

        @Override
        public void publish(MemberRecord record) {}

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) {}

        @Override
        public void publishEpoch(LockRecord lock) {}

        @Override
        public void releaseLock(LockRecord lock) {}

        @Override
        public void record(Failover failover) {}

        @Override
        public CompletableFuture<ElectionOrder.Outcome> order(ElectionOrder order, Collection<String> configured) {
            return new CompletableFuture<>();
        }

        @Override
        public String historyJson() {
            return "[]";
        }

        @Override
        public void close() {}
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.DriverFault;
import io.trefoil.foundation.TestPorts;
import io.trefoil.foundation.WrongDriver;
import io.trefoil.ha.agent.AgentTrace;
import io.trefoil.ha.agent.events.AgentSettings;
import io.trefoil.ha.agent.events.AgentStage;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.ha.run.AgentRunner;
import io.trefoil.ha.run.AgentTraceFile;
import io.trefoil.ha.run.Coordination;
import io.trefoil.ha.run.NameNodeControl;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.journal.pool.server.PoolNode;
import io.trefoil.journal.pool.server.PoolObserver;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked for an agent is what its rules want, and a driver that asked for something else is found by its trace. */
class AgentTraceTest {

    private static final JournalId JOURNAL = JournalId.of("ns1");
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private final NodeAddress address = NodeAddress.of("127.0.0.1", TestPorts.free());
    private PoolNode node;
    private PoolJournal journal;

    @BeforeEach
    void format() throws IOException {
        NodeSettings settings = NodeSettings.builder()
                .address(address)
                .bindHost("127.0.0.1")
                .directory(directory.resolve("node"))
                .journalsToJoin(Collections.singletonMap(JOURNAL, List.of(address)))
                .build();
        node = PoolNode.start(settings, PoolObserver.NONE);
        journal = new PoolJournal(
                PoolSettings.builder()
                        .journal(JOURNAL)
                        .addresses(List.of(address))
                        .node(settings)
                        .minReplicas(1)
                        .build(),
                Optional.of(node),
                PoolObserver.NONE);
        journal.format(NamespaceId.of("CID-1", 42), StorageRecord.Version.of(-67, 1000), false);
    }

    @AfterEach
    void close() throws Exception {
        journal.close();
        node.close();
    }

    /** An agent that becomes active, and standby again. */
    private Path recordTrace(UnaryOperator<AgentTrace> driver) throws Exception {
        AgentTrace trace = driver.apply(new AgentTraceFile(directory.resolve("traces"), "nn1-"));
        AgentRunner agent = new AgentRunner(
                AgentSettings.builder().name("nn1").instance("one").build(),
                new PermissiveZooKeeper(),
                nameNode(),
                (Journal) journal,
                1,
                trace);
        agent.start();
        await().atMost(TIMEOUT).until(() -> agent.state().stage() == AgentStage.SERVING);
        assertThat(agent.stepDown(Duration.ofMinutes(1)).get()).isEmpty();
        await().atMost(TIMEOUT).until(() -> agent.state().stage() == AgentStage.FOLLOWING);
        Path file = traceFile();
        long size = Files.size(file);
        // Whatever follows from the last step is on its way to the file by then.
        await().atMost(TIMEOUT).until(() -> Files.size(file) > size);
        agent.close();
        return file;
    }

    /** Has the role that it was told to have. */
    private static NameNodeControl nameNode() {
        AtomicReference<HaRole> role = new AtomicReference<>(HaRole.STANDBY);
        Map<String, Object> answers = Map.of(
                "appliedTxId",
                0L,
                "lagMillis",
                0L,
                "isPreparing",
                false,
                "unhealthyReason",
                "",
                "isInSafeMode",
                false,
                "isBusy",
                false);
        return (NameNodeControl) Proxy.newProxyInstance(
                NameNodeControl.class.getClassLoader(),
                new Class<?>[] {NameNodeControl.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("becomeActive")) {
                        role.set(HaRole.ACTIVE);
                    } else if (method.getName().equals("becomeStandby")) {
                        role.set(HaRole.STANDBY);
                    }
                    return method.getName().equals("role") ? role.get() : answers.get(method.getName());
                });
    }

    private Path traceFile() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("traces"))) {
            return files.findFirst().orElseThrow();
        }
    }

    @Test
    void driverMatchesRules() throws Exception {
        assertThat(AgentTraceReader.replay(recordTrace(trace -> trace))).isGreaterThan(10);
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "twice, called becomeActive, the rules want: nothing",
        "never, called becomeActive, without a call of becomeActive",
        "late after Activated, called becomeActive, without a call of becomeActive",
        "twice, called becomeStandby, the rules want: nothing",
        "never, called becomeStandby, without a call of becomeStandby",
        "twice, called prepareWriter, the rules want",
        "never, called prepareWriter, without a call of prepareWriter",
        "twice, called takeLock, the rules want",
        "never, called takeLock, has not called before",
        "late, called publishEpoch, the rules want: publishEpoch",
        "never, called releaseLock, the rules want: releaseLock",
        "never, called publish, has not called before",
        "late, called answer, the rules want: answer",
        "never, called queryLease, without a call of queryLease",
    })
    void findsDeviatingDriver(String alteration, String action, String fault) throws Exception {
        Path file = recordTrace(trace -> WrongDriver.of(AgentTrace.class, trace, alteration, action));

        assertThatThrownBy(() -> AgentTraceReader.replay(file))
                .isInstanceOf(DriverFault.class)
                .hasMessageContaining(fault);
    }

    /** Gives the lock to the member that asks; there is no other member. */
    private static final class PermissiveZooKeeper implements Coordination {
        private Listener listener;
        private View view = View.of(ZkSession.of(1), Ballot.NONE, Optional.empty(), List.of());

        private void show(Ballot ballot, Optional<LockRecord> lock, List<MemberRecord> members) {
            view = View.of(view.session(), ballot, lock, members);
            listener.viewChanged(view);
        }

        @Override
        public void start(Listener newListener) {
            listener = newListener;
            show(view.ballot(), view.lock(), view.members());
        }

        @Override
        public void publish(MemberRecord record) {
            show(view.ballot(), view.lock(), List.of(record));
        }

        @Override
        public void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) {
            listener.lockTaken(lock);
            show(lock.ballot(), Optional.of(lock), view.members());
        }

        @Override
        public void publishEpoch(LockRecord lock) {
            show(view.ballot(), Optional.of(lock), view.members());
        }

        @Override
        public void releaseLock(LockRecord lock) {
            show(view.ballot(), Optional.empty(), view.members());
        }

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

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.model.MemberRecord;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** What a member shows, and what the others see of it. */
class ZkCoordinationTest extends ZkGroup {

    @Test
    void memberIsVisibleWhileSessionLasts() {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> other.view.member("nn1").equals(Optional.of(record("nn1", 7))));

        one.coordination.publish(record("nn1", 8));
        await().until(() -> other.view.member("nn1").equals(Optional.of(record("nn1", 8))));

        one.coordination.close();
        await().until(() -> !other.view.member("nn1").isPresent());
    }

    @Test
    void repeatedChangesDoNotLeakWatches() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 1));
        await().until(() -> other.view.member("nn1").isPresent());
        int before = watchCount(other);

        for (long txId = 2; txId <= 20; txId++) {
            MemberRecord next = record("nn1", txId);
            one.coordination.publish(next);
            await().until(() -> other.view.member("nn1").equals(Optional.of(next)));
        }

        assertThat(watchCount(other)).isEqualTo(before);
    }

    /** How many objects ZooKeeper's client keeps to tell them of a change. */
    private static int watchCount(Member member) throws Exception {
        CuratorFramework client = (CuratorFramework) field(ZkCoordination.class, member.coordination, "client");
        Object connection = field(ZooKeeper.class, client.getZookeeperClient().getZooKeeper(), "cnxn");
        Object manager = field(connection.getClass(), connection, "watchManager");
        int watches = 0;
        for (String kind : List.of("dataWatches", "existWatches", "childWatches")) {
            Map<?, ?> byPath = (Map<?, ?>) field(manager.getClass(), manager, kind);
            synchronized (byPath) {
                watches += byPath.values().stream()
                        .mapToInt(of -> ((Set<?>) of).size())
                        .sum();
            }
        }
        return watches;
    }

    private static Object field(Class<?> owner, Object object, String name) throws ReflectiveOperationException {
        Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }

    /** What one change costs its readers does not grow with the members. */
    @Test
    void rereadsOnlyChangedMember() throws Exception {
        List<Member> group = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            group.add(new Member("nn" + i));
            group.get(i - 1).coordination.publish(record("nn" + i, 1));
        }
        // From here on nothing changes but what the test has changed.
        await().until(() -> group.get(0).view.members().size() == 6);
        AtomicInteger reads = new AtomicInteger();
        try (CuratorFramework client = stranger()) {
            CompletableFuture<String> changed = new CompletableFuture<>();
            ViewReader reader = new ViewReader(
                    client,
                    GroupPaths.of("/trefoil/ns1"),
                    () -> changed.complete(""),
                    zooKeeper -> new CountingReads(zooKeeper, reads));
            assertThat(reader.read().members()).hasSize(6);
            reads.set(0);

            reader.read();
            assertThat(reads.getAndSet(0)).as("the ballot, twice").isEqualTo(2);
            group.get(2).coordination.publish(record("nn3", 2));
            changed.get(LONG.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(reader.read().member("nn3")).contains(record("nn3", 2));
            assertThat(reads.get()).as("the ballot, and who changed").isEqualTo(3);
        }
    }

    /** No watch would tell of a change of a record that was never read. */
    @Test
    void rereadsMembersWithUnreadRecords() throws Exception {
        for (int i = 1; i <= 3; i++) {
            new Member("nn" + i).coordination.publish(record("nn" + i, 1));
        }
        try (CuratorFramework client = stranger()) {
            AtomicBoolean cut = new AtomicBoolean();
            ViewReader reader = new ViewReader(
                    client,
                    GroupPaths.of("/trefoil/ns1"),
                    () -> {},
                    zooKeeper -> new ReadsLosingConnection(zooKeeper, cut));
            await().until(() -> reader.read().members().size() == 3);
            client.getZookeeperClient().reset();

            cut.set(true);
            assertThatThrownBy(reader::read).isInstanceOf(KeeperException.ConnectionLossException.class);
            cut.set(false);
            assertThat(reader.read().members()).hasSize(3);
        }
    }

    /** Loses the connection before the first member's record comes. */
    private static final class ReadsLosingConnection extends PipelinedReads {
        private final AtomicBoolean cut;

        ReadsLosingConnection(ZooKeeper zooKeeper, AtomicBoolean cut) {
            super(zooKeeper);
            this.cut = cut;
        }

        @Override
        CompletableFuture<NodeData> readData(String path, Watcher watcher) {
            CompletableFuture<NodeData> read = super.readData(path, watcher);
            return cut.get() && path.endsWith("nn1")
                    ? read.thenCompose(unused -> {
                        CompletableFuture<NodeData> lost = new CompletableFuture<>();
                        lost.completeExceptionally(new KeeperException.ConnectionLossException());
                        return lost;
                    })
                    : read;
        }
    }

    /** Counts what is read of nodes that should be there. */
    private static final class CountingReads extends PipelinedReads {
        private final AtomicInteger reads;

        CountingReads(ZooKeeper zooKeeper, AtomicInteger reads) {
            super(zooKeeper);
            this.reads = reads;
        }

        @Override
        CompletableFuture<NodeData> readData(String path, Watcher watcher) {
            reads.incrementAndGet();
            return super.readData(path, watcher);
        }
    }

    @Test
    void restartedMemberReplacesRecordAndSurvivesFormerSession() {
        Member watching = new Member("nn2");
        Member former = new Member("nn1");
        former.coordination.publish(record("nn1", 7));
        await().until(() -> watching.view.member("nn1").isPresent());

        Member present = new Member("nn1");
        present.coordination.publish(record("nn1", 9));
        await().until(() -> watching.view.member("nn1").equals(Optional.of(record("nn1", 9))));
        former.coordination.close();
        // Whatever the end of that session deletes is gone when a later change is seen.
        present.coordination.publish(record("nn1", 10));
        await().until(() -> watching.view.member("nn1").equals(Optional.of(record("nn1", 10))));
    }

    @Test
    void secondProcessWithSameNameStaysOut() throws Exception {
        Member watching = new Member("nn2");
        Member one = new Member("nn1");
        one.coordination.publish(record("nn1", 1).toBuilder().instance("one").build());
        await().until(() -> watching.view.member("nn1").isPresent());
        Member other = new Member("nn1");
        other.coordination.publish(
                record("nn1", 1).toBuilder().instance("other").build());

        for (int i = 2; i < 100; i++) {
            MemberRecord now = record("nn1", i).toBuilder().instance("one").build();
            one.coordination.publish(now);
            await().until(() -> watching.view.member("nn1").equals(Optional.of(now)));
        }
        try (CuratorFramework stranger = stranger()) {
            assertThat(stranger.checkExists().forPath("/trefoil/ns1/members").getCversion())
                    .as("how often a member came or went")
                    .isLessThan(10);
        }

        one.coordination.close();
        await().until(() -> watching.view
                .member("nn1")
                .filter(record -> record.instance().equals("other"))
                .isPresent());
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.run.Coordination;
import io.trefoil.journal.TestPorts;
import io.trefoil.journal.model.Epoch;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.curator.drivers.AdvancedTracerDriver;
import org.apache.curator.drivers.EventTrace;
import org.apache.curator.drivers.OperationTrace;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of one group by way of a real ZooKeeper, which runs in this process. */
class ZkCoordinationTest {
    private static final String TICK_MILLIS = "100";
    private static final Ballot FIRST = Ballot.NONE.next();

    @TempDir
    Path directory;

    private final List<Member> members = new ArrayList<>();
    private ZooKeeperServerMain server;
    private int port;

    @BeforeEach
    void findAPort() throws IOException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        port = TestPorts.free();
        startZooKeeper();
    }

    private void startZooKeeper() {
        ServerConfig config = new ServerConfig();
        config.parse(new String[] {String.valueOf(port), directory.toString(), TICK_MILLIS});
        ZooKeeperServerMain starting = new ZooKeeperServerMain();
        server = starting;
        Thread thread = new Thread(() -> run(starting, config), "zookeeper");
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(ZooKeeperServerMain server, ServerConfig config) {
        try {
            server.runFromConfig(config);
        } catch (Exception e) {
            throw new IllegalStateException("no ZooKeeper to test with", e);
        }
    }

    @AfterEach
    void stopEverything() {
        members.forEach(member -> member.coordination.close());
        server.close();
    }

    @Test
    void aMemberIsShownToOthersWhileItsSessionLasts() {
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
    void ofManyChangesNoWatchIsLeftBehind() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 1));
        await().until(() -> other.view.member("nn1").isPresent());
        int before = watches(other);

        for (long txId = 2; txId <= 20; txId++) {
            MemberRecord next = record("nn1", txId);
            one.coordination.publish(next);
            await().until(() -> other.view.member("nn1").equals(Optional.of(next)));
        }

        assertThat(watches(other)).isEqualTo(before);
    }

    /** How many objects ZooKeeper's client keeps to tell them of a change. */
    private static int watches(Member member) throws Exception {
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
    void ofAllMembersOnlyWhoChangedIsReadAgain() throws Exception {
        List<Member> group = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            group.add(new Member("nn" + i));
            group.get(i - 1).coordination.publish(record("nn" + i, 1));
        }
        AtomicInteger reads = new AtomicInteger();
        try (CuratorFramework client = stranger()) {
            client.getZookeeperClient().setTracerDriver(new ReadCounter(reads));
            CompletableFuture<String> changed = new CompletableFuture<>();
            ViewReader reader = new ViewReader(client, GroupPaths.of("/trefoil/ns1"), () -> changed.complete(""));
            await().until(() -> reader.read().members().size() == 6);
            reads.set(0);

            reader.read();
            assertThat(reads.getAndSet(0)).as("the ballot, twice").isEqualTo(2);
            group.get(2).coordination.publish(record("nn3", 2));
            changed.get(10, TimeUnit.SECONDS);
            assertThat(reader.read().member("nn3")).contains(record("nn3", 2));
            assertThat(reads.get()).as("the ballot, and who changed").isEqualTo(3);
        }
    }

    /** Counts what is read of nodes. */
    private static final class ReadCounter extends AdvancedTracerDriver {
        private final AtomicInteger reads;

        ReadCounter(AtomicInteger reads) {
            this.reads = reads;
        }

        @Override
        public void addTrace(OperationTrace trace) {
            if (trace.getName().startsWith("GetDataBuilderImpl")) {
                reads.incrementAndGet();
            }
        }

        @Override
        public void addEvent(EventTrace trace) {}
    }

    @Test
    void whatAFormerLifeShowedIsReplacedAndDoesNotGoWithItsSession() {
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
    void ofTwoWhoBidInTheSameBallotOneGetsTheLock() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());

        assertThat(List.of(one.outcome(), other.outcome())).containsExactlyInAnyOrder("taken 1", "missed");
        await().until(() -> one.view.lock().isPresent() && one.view.equals(withSession(other.view, one.view)));
        assertThat(one.view.ballot()).isEqualTo(FIRST);
    }

    @Test
    void aLockIsReplacedAndItsOldHolderChangesNothingAnyMore() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.outcome()).isEqualTo("taken 1");
        await().until(() -> other.view.ballot().equals(FIRST));
        LockRecord theirs = other.lock(FIRST.next()).in(Epoch.of(6));

        other.coordination.takeLock(other.lock(FIRST.next()), FIRST, Optional.of(one.lock(FIRST)));
        assertThat(other.outcome()).isEqualTo("taken 2");
        one.coordination.showEpoch(one.lock(FIRST).in(Epoch.of(5)));
        one.coordination.releaseLock(one.lock(FIRST));
        other.coordination.showEpoch(theirs);

        await().until(() -> one.view.lock().equals(Optional.of(theirs)));
        // The requests of the old holder are behind it: they were carried out in their order.
        one.coordination.publish(record("nn1", 1));
        await().until(() -> other.view.member("nn1").isPresent());
        assertThat(other.view.lock()).contains(theirs);
    }

    @Test
    void aBidOnAnOldViewFails() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.outcome()).isEqualTo("taken 1");
        one.coordination.releaseLock(one.lock(FIRST));
        await().until(() ->
                !other.view.lock().isPresent() && other.view.ballot().equals(FIRST));

        // There is no lock, as in the view it bids on, but there has been an election since.
        other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());

        assertThat(other.outcome()).isEqualTo("missed");
        assertThat(other.view.lock()).isEmpty();
    }

    @Test
    void theLockEndsWithTheSessionOfItsHolder() throws InterruptedException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.outcome()).isEqualTo("taken 1");
        await().until(() -> other.view.lock().isPresent());

        one.coordination.close();

        await().until(() -> !other.view.lock().isPresent());
        assertThat(other.view.ballot()).isEqualTo(FIRST);
    }

    @Test
    void theLossOfZooKeeperIsToldAndAllIsShownAgainAfterwards() {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> other.view.member("nn1").isPresent());

        server.close();
        await().until(() -> one.losses.get() > 0 && other.losses.get() > 0);
        one.coordination.publish(record("nn1", 8));
        startZooKeeper();

        await().atMost(Duration.ofSeconds(30))
                .until(() -> other.view.member("nn1").equals(Optional.of(record("nn1", 8))));
    }

    @Test
    void theHistoryKeepsTheLastFifty() {
        Member one = new Member("nn1");
        int count = 53;
        for (int ballot = 1; ballot <= count; ballot++) {
            one.coordination.record(failover(ballot));
        }

        await().until(() -> one.coordination.historyJson().contains("\"ballot\":53,")
                && !one.coordination.historyJson().contains("\"ballot\":3,"));
        assertThat(one.coordination.historyJson().split("\"ballot\":", -1)).hasSize(1 + 50);
    }

    private static Failover failover(int ballot) {
        long now = System.nanoTime();
        return Failover.begin(Optional.of("nn2"), "nn1", "test", now)
                .locked(Ballot.of(ballot), now)
                .promised(Epoch.of(ballot), now)
                .activated(now);
    }

    @Test
    void aZooKeeperThatWasWipedIsUsedAsANewOne() throws InterruptedException, IOException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        one.coordination.takeLock(one.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(one.outcome()).isEqualTo("taken 1");
        await().until(() -> other.view.lock().isPresent());

        server.close();
        delete(directory);
        startZooKeeper();

        expectWork(one, other);
    }

    @Test
    void aZooKeeperThatWasRestoredFromAnOldCopyIsUsedAsItIs() throws InterruptedException, IOException {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());
        assertThat(other.outcome()).isEqualTo("taken 1");
        server.close();
        Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
        copy(directory, copy);
        startZooKeeper();
        await().atMost(Duration.ofSeconds(10))
                .until(() -> one.view.ballot().equals(FIRST) && one.view.lock().isPresent());
        while (one.view.ballot().number() < 20) {
            expectElected(one);
        }

        server.close();
        delete(directory);
        copy(copy, directory);
        startZooKeeper();
        delete(copy);

        expectWork(one, other);
    }

    @Test
    void aFolderThatWasDeletedUnderLoadIsMadeAgain() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        other.coordination.publish(record("nn2", 7));
        await().until(() -> other.view.members().size() == 2);

        try (CuratorFramework stranger = stranger()) {
            for (int i = 0; i < 20; i++) {
                one.coordination.publish(record("nn1", i));
                try {
                    stranger.delete().deletingChildrenIfNeeded().forPath("/trefoil");
                } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
                    // Somebody was quicker to make a part of it again.
                    assertThat(e.getPath()).startsWith("/trefoil");
                }
            }
        }

        expectWork(one, other);
    }

    @Test
    void whatCannotBeReadInTheHistoryHidesNobody() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> other.view.member("nn1").isPresent());

        try (CuratorFramework stranger = stranger()) {
            stranger.create().forPath("/trefoil/ns1/history/0000000001", "no record".getBytes(UTF_8));
            stranger.delete().forPath("/trefoil/ns1/members/nn1");
            await().until(() -> stranger.checkExists().forPath("/trefoil/ns1/members/nn1") != null);
        }
        one.coordination.record(failover(2));
        await().until(() -> HistoryRecord.list(other.coordination.historyJson()).size() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no record", "{}", "{\"ballot\":-1}", "[]", ""})
    void aLockThatIsNoRecordIsTakenByTheNextBidder(String written) throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        expectElected(one);
        try (CuratorFramework stranger = stranger()) {
            stranger.setData().forPath("/trefoil/ns1/lock", written.getBytes(UTF_8));
        }
        await().until(() -> other.view.lock().isEmpty());
        expectElected(other);
        await().until(() -> one.view.lock().map(LockRecord::holder).equals(Optional.of("nn2")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"no record", "{}", "{\"ballot\":-1}", "[]", ""})
    void anElectionThatIsNoRecordKeepsNobodyFromBidding(String written) throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        expectElected(one);
        try (CuratorFramework stranger = stranger()) {
            stranger.setData().forPath("/trefoil/ns1/election", written.getBytes(UTF_8));
        }
        await().until(() -> other.view.ballot().equals(Ballot.NONE));
        expectElected(other);
    }

    @Test
    void aMemberThatMayOnlyReadSeesTheOthersAndTakesPartWhenItMayWriteAgain() throws Exception {
        Member one = new Member("nn1");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> one.view.member("nn1").isPresent());
        try (CuratorFramework stranger = stranger()) {
            for (String folder : new String[] {"/trefoil/ns1", "/trefoil/ns1/members", "/trefoil/ns1/election"}) {
                stranger.setACL().withACL(anybodyMay(Perms.READ | Perms.ADMIN)).forPath(folder);
            }
            Member other = new Member("nn2");
            other.coordination.publish(record("nn2", 8));
            assertThat(other.view.member("nn1")).isPresent();
            other.coordination.takeLock(other.lock(FIRST), Ballot.NONE, Optional.empty());
            assertThat(other.outcome()).isEqualTo("missed");

            for (String folder : new String[] {"/trefoil/ns1", "/trefoil/ns1/members", "/trefoil/ns1/election"}) {
                stranger.setACL().withACL(anybodyMay(Perms.ALL)).forPath(folder);
            }
            expectWork(one, other);
        }
    }

    @Test
    void ofTwoProcessesWithOneNameOneStaysOut() throws Exception {
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

    /** Members are seen by each other, and one can be elected, within the time that operators are told. */
    private void expectWork(Member one, Member other) throws InterruptedException {
        Duration soon = Duration.ofSeconds(10);
        one.coordination.publish(record("nn1", 100));
        other.coordination.publish(record("nn2", 100));
        await().atMost(soon)
                .until(() -> one.view.member("nn2").equals(Optional.of(record("nn2", 100)))
                        && other.view.member("nn1").equals(Optional.of(record("nn1", 100))));
        expectElected(one);
        await().atMost(soon).until(() -> other.view
                .lock()
                .filter(lock -> lock.holder().equals("nn1"))
                .isPresent());
    }

    /** It bids until it is taken: a session may end under way on a busy machine, and what it sees may be late. */
    private static void expectElected(Member one) {
        one.outcomes.clear();
        await().atMost(Duration.ofSeconds(10)).until(() -> {
            Ballot last = one.view.ballot();
            Ballot next = Ballot.of(last.number() + 1);
            one.coordination.takeLock(one.lock(next), last, one.view.lock());
            return one.outcome().equals("taken " + next);
        });
    }

    private static ElectionOrder.Outcome order(Member member, ElectionOrder order) throws Exception {
        return member.coordination.order(order, List.of("nn1", "nn2", "nn3")).get(10, TimeUnit.SECONDS);
    }

    @Test
    void anOrderIsSeenByAllAndOutlivesThem() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");

        ElectionOrder.Outcome outcome = order(one, ElectionOrder.prefer("nn3", "alice", 5, Optional.empty()));

        assertThat(outcome.refused()).isFalse();
        await().until(() -> other.view.orders().isPreferred("nn3", 6));
        one.coordination.close();
        other.coordination.close();
        assertThat(new Member("nn1").view.orders()).isEqualTo(outcome.orders());
    }

    @Test
    void aRefusedOrderChangesNothing() throws Exception {
        Member one = new Member("nn1");

        ElectionOrder.Outcome outcome = order(one, ElectionOrder.drain("nn3", "alice", 5));

        assertThat(outcome.refused()).isTrue();
        assertThat(one.view.orders()).isEqualTo(StandingOrders.NONE);
    }

    @Test
    void ordersThatComeAtOneMomentAreAllKept() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        List<CompletableFuture<ElectionOrder.Outcome>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Member taker = i % 2 == 0 ? one : other;
            answers.add(taker.coordination.order(
                    ElectionOrder.prefer("nn" + (1 + i % 3), "alice", 5, Optional.empty()),
                    List.of("nn1", "nn2", "nn3")));
        }
        for (CompletableFuture<ElectionOrder.Outcome> answer : answers) {
            assertThat(answer.get(10, TimeUnit.SECONDS).refused()).isFalse();
        }

        await().until(() ->
                one.view.orders().revision() == 10 && one.view.orders().equals(other.view.orders()));
    }

    @Test
    void ordersComeBackWhenZooKeeperHasForgottenThem() throws Exception {
        Member one = new Member("nn1");
        StandingOrders first = order(one, ElectionOrder.prefer("nn3", "alice", 5, Optional.empty()))
                .orders();
        try (CuratorFramework stranger = stranger()) {
            stranger.delete().forPath("/trefoil/ns1/orders");
            Member other = new Member("nn2");
            await().until(() -> other.view.orders().equals(first));

            // What was restored from a copy.
            StandingOrders second =
                    order(one, ElectionOrder.preferNobody("alice", 6)).orders();
            stranger.setData().forPath("/trefoil/ns1/orders", Records.bytes(Records.orders(first)));
            await().until(() -> Records.orders(stranger.getData().forPath("/trefoil/ns1/orders"))
                    .equals(second));
            assertThat(one.view.orders()).isEqualTo(second);
        }
    }

    private static List<ACL> anybodyMay(int what) {
        return List.of(new ACL(what, new Id("world", "anyone")));
    }

    private CuratorFramework stranger() {
        CuratorFramework stranger = CuratorFrameworkFactory.newClient("127.0.0.1:" + port, new RetryNTimes(10, 100));
        stranger.start();
        return stranger;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Files.copy(one, to.resolve(from.relativize(one)));
            }
        }
    }

    private static MemberRecord record(String name, long txId) {
        return MemberRecord.builder()
                .name(name)
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .version("1")
                .appliedTxId(txId)
                .build();
    }

    private static View withSession(View view, View of) {
        return View.of(of.session(), view.ballot(), view.lock(), view.members(), view.orders());
    }

    /** One that takes part, and what it hears. */
    private final class Member implements Coordination.Listener {
        final String name;
        final Coordination coordination;
        final AtomicInteger losses = new AtomicInteger();
        final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
        volatile View view = View.NOTHING;

        /** Returns when it has seen the view. */
        Member(String name) {
            this.name = name;
            coordination = new ZkCoordination(ZkSettings.builder()
                    .quorum("127.0.0.1:" + port)
                    .path("/trefoil/ns1")
                    .sessionTimeout(Duration.ofSeconds(2))
                    .build());
            members.add(this);
            coordination.start(this);
            await().until(() -> view != View.NOTHING);
        }

        LockRecord lock(Ballot ballot) {
            return LockRecord.taken(name, ballot, view.session());
        }

        String outcome() throws InterruptedException {
            String outcome = outcomes.poll(10, TimeUnit.SECONDS);
            assertThat(outcome).as("answer to the bid of " + name).isNotNull();
            return outcome;
        }

        @Override
        public void viewChanged(View now) {
            view = now;
        }

        @Override
        public void disconnected() {
            losses.incrementAndGet();
        }

        @Override
        public void lockTaken(Ballot ballot) {
            outcomes.add("taken " + ballot.number());
        }

        @Override
        public void lockMissed() {
            outcomes.add("missed");
        }
    }
}

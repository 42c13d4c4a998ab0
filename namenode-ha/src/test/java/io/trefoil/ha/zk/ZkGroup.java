/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.View;
import io.trefoil.ha.run.Coordination;
import io.trefoil.ha.zk.connection.ZkSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.server.ServerConfig;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Members of one group by way of a real ZooKeeper, which runs in this process; for the tests of what they do there. */
abstract class ZkGroup {

    /** For a host that is busy. */
    static final Duration LONG = Duration.ofMinutes(1);

    static final Ballot FIRST = Ballot.NONE.next();
    private static final String TICK_MILLIS = "100";

    @TempDir
    Path directory;

    final List<Member> members = new ArrayList<>();
    /**
     * Of members that are made from now on. Longer than threads stand still, so that no session ends that is to last; a connection
     * that was made while ZooKeeper started, and that it forgot, is given up after as long.
     */
    Duration session = Duration.ofSeconds(20);

    private ZooKeeperServerMain server;
    private Thread serving;
    private int port;

    @BeforeEach
    void findPort() throws IOException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        port = TestPorts.free();
        startZooKeeper();
    }

    final void startZooKeeper() {
        LongSessionConfig config = new LongSessionConfig(port, directory);
        ZooKeeperServerMain starting = new ZooKeeperServerMain();
        server = starting;
        serving = new Thread(() -> run(starting, config), "zookeeper");
        serving.setDaemon(true);
        serving.start();
        await().atMost(LONG).until(this::isZooKeeperServing);
    }

    private boolean isZooKeeperServing() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(1_000);
            socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains("Mode: ");
        } catch (IOException notYet) {
            return false;
        }
    }

    /** Allows sessions that last longer than twenty ticks. */
    private static final class LongSessionConfig extends ServerConfig {
        LongSessionConfig(int port, Path directory) {
            parse(new String[] {String.valueOf(port), directory.toString(), TICK_MILLIS});
            maxSessionTimeout = (int) LONG.toMillis();
        }
    }

    private static void run(ZooKeeperServerMain server, ServerConfig config) {
        try {
            server.runFromConfig(config);
        } catch (Exception e) {
            throw new IllegalStateException("no ZooKeeper to test with", e);
        }
    }

    /** Returns when it writes nothing any more. */
    final void stopZooKeeper() throws InterruptedException {
        server.close();
        // That returns when no client is served any more; the log is closed later.
        serving.join(LONG.toMillis());
    }

    @AfterEach
    void stopEverything() throws InterruptedException {
        members.forEach(member -> member.coordination.close());
        stopZooKeeper();
    }

    /** It bids until it is taken: a session may end under way on a busy machine, and what it sees may be late. */
    static void expectElected(Member one) {
        one.outcomes.clear();
        await().atMost(LONG).until(() -> {
            Ballot last = one.view.ballot();
            Ballot next = Ballot.of(last.number() + 1);
            one.coordination.takeLock(one.lock(next), last, one.view.lock());
            return one.lastOutcome().equals("taken " + next);
        });
    }

    CuratorFramework stranger() {
        CuratorFramework stranger = CuratorFrameworkFactory.newClient("127.0.0.1:" + port, new RetryNTimes(10, 100));
        stranger.start();
        return stranger;
    }

    static MemberRecord record(String name, long txId) {
        return MemberRecord.builder()
                .name(name)
                .addresses(MemberAddresses.of("h:1", "h:2", "h:3"))
                .version("1")
                .appliedTxId(txId)
                .build();
    }

    /** One that takes part, and what it hears. */
    final class Member implements Coordination.Listener {
        final String name;
        final Coordination coordination;
        final AtomicInteger losses = new AtomicInteger();
        final BlockingQueue<String> outcomes = new LinkedBlockingQueue<>();
        volatile View view = View.NOTHING;

        /** Returns when it has seen the view. */
        Member(String name) {
            this.name = name;
            coordination = new ZkCoordination(
                    ZkSettings.builder()
                            .quorum("127.0.0.1:" + port)
                            .path("/trefoil/ns1")
                            .sessionTimeout(session)
                            .build(),
                    () -> "; noted by " + name);
            members.add(this);
            coordination.start(this);
            await().atMost(LONG).until(() -> view != View.NOTHING);
        }

        LockRecord lock(Ballot ballot) {
            return LockRecord.ofHolder(name, ballot, view.session());
        }

        String lastOutcome() throws InterruptedException {
            String outcome = outcomes.poll(LONG.toMillis(), TimeUnit.MILLISECONDS);
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
        public void lockTaken(LockRecord lock) {
            outcomes.add("taken " + lock.ballot().number());
        }

        @Override
        public void lockMissed() {
            outcomes.add("missed");
        }
    }
}

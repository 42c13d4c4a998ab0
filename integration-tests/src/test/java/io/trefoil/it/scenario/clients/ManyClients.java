/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.clients;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Many clients, each with its own login, and so its own connections, and with a thread that makes a directory now and
 * then. They can be held back, to call all at once. All belong to one user: a NameNode starts a process to look up the
 * groups of a user whom it does not know, and the test would measure only that.
 */
final class ManyClients implements AutoCloseable {
    /** For all clients together. */
    private static final int CALLS_PER_SECOND = 200;

    private final String root;
    private final long pauseMillis;
    private final List<OneClient> clients = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile long calledTogetherAt = Long.MAX_VALUE;
    private volatile boolean stopping;

    ManyClients(HaCluster cluster, IntFunction<Configuration> configurations, String root, int count) throws Exception {
        this.root = root;
        this.pauseMillis = 1_000L * count / CALLS_PER_SECOND;
        FileSystem fileSystem = cluster.newFileSystem();
        fileSystem.mkdirs(new Path(root));
        fileSystem.setPermission(new Path(root), new FsPermission((short) 0777));
        URI uri = fileSystem.getUri();
        for (int i = 0; i < count; i++) {
            Configuration conf = configurations.apply(i);
            ClientProtocol nameNodes = UserGroupInformation.createRemoteUser("many")
                    .doAs((PrivilegedExceptionAction<ClientProtocol>)
                            () -> NameNodeProxiesClient.createProxyWithClientProtocol(conf, uri, null)
                                    .getProxy());
            clients.add(new OneClient(root + "/" + i, nameNodes));
        }
        clients.forEach(Thread::start);
    }

    private final class OneClient extends Thread {
        private final String directory;
        private final ClientProtocol nameNodes;
        private final AtomicInteger acknowledged = new AtomicInteger();
        private volatile long servedAt;
        private volatile boolean waiting;

        OneClient(String directory, ClientProtocol nameNodes) {
            super("client " + directory);
            setDaemon(true);
            this.directory = directory;
            this.nameNodes = nameNodes;
        }

        @Override
        public void run() {
            try {
                while (!stopping) {
                    waiting = true;
                    gate.await();
                    waiting = false;
                    call();
                    CountDownLatch held = gate;
                    if (held.getCount() == 0) {
                        TimeUnit.MILLISECONDS.sleep(
                                pauseMillis / 2 + ThreadLocalRandom.current().nextLong(pauseMillis));
                    }
                }
            } catch (InterruptedException end) {
                // The client's file system is closed.
            }
        }

        private void call() {
            long began = System.nanoTime();
            try {
                nameNodes.mkdirs(directory + "/" + acknowledged.get(), FsPermission.getDirDefault(), true);
                acknowledged.incrementAndGet();
                if (servedAt == 0 && began - calledTogetherAt >= 0) {
                    servedAt = System.nanoTime();
                }
            } catch (IOException e) {
                failures.add(directory + ": " + e);
            }
        }
    }

    /** Waits until each has had that many more answers. */
    void awaitMore(int answers) {
        int[] before =
                clients.stream().mapToInt(client -> client.acknowledged.get()).toArray();
        Await.until(
                "each client has had " + answers + " answers more",
                Await.TIMEOUT,
                () -> {
                    for (int i = 0; i < before.length; i++) {
                        if (clients.get(i).acknowledged.get() < before[i] + answers) {
                            return false;
                        }
                    }
                    return true;
                },
                this::describe);
    }

    /** Lets all finish their calls, and start no new ones. */
    void pauseAll() {
        gate = new CountDownLatch(1);
        Await.until(
                "all clients wait",
                Await.TIMEOUT,
                () -> clients.stream().allMatch(client -> client.waiting),
                this::describe);
    }

    /** Lets all of them call at this moment. */
    void callTogether() {
        calledTogetherAt = System.nanoTime();
        gate.countDown();
    }

    /**
     * How long after that time each had an answer to the call of {@link #callTogether}, in ascending order; waits for
     * the answers.
     */
    List<Duration> responseTimesAfter(long nanos) {
        Await.until(
                "all clients are served",
                Await.TIMEOUT,
                () -> clients.stream().allMatch(client -> client.servedAt != 0),
                this::describe);
        return clients.stream()
                .map(client -> Duration.ofNanos(client.servedAt - nanos))
                .sorted()
                .toList();
    }

    /** The errors of failed calls. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Directories that were acknowledged but do not exist; call it when no client is calling. */
    List<String> lostDirectories(FileSystem fileSystem) throws IOException {
        List<String> lost = new ArrayList<>();
        for (OneClient client : clients) {
            Set<String> there = Arrays.stream(fileSystem.listStatus(new Path(client.directory)))
                    .map(FileStatus::getPath)
                    .map(Path::getName)
                    .collect(Collectors.toSet());
            for (int i = 0; i < client.acknowledged.get(); i++) {
                if (!there.contains(String.valueOf(i))) {
                    lost.add(client.directory + "/" + i);
                }
            }
        }
        return lost;
    }

    private String describe() {
        return "clients under " + root + "; failures: "
                + failures.stream().limit(5).toList();
    }

    @Override
    public void close() {
        stopping = true;
        gate.countDown();
        clients.forEach(Thread::interrupt);
        clients.forEach(client -> RPC.stopProxy(client.nameNodes));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.moves;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.client.hdfs.subtrees.SubtreeFileSystem;
import io.trefoil.foundation.subtrees.FrozenMark;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import io.trefoil.it.scenario.Reckoning;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A subtree goes from one nameservice to the other and back while a client writes all the time, and the active of either is
 * killed while the subtree is copied, and while it is frozen. The client is never refused, and finds what it was told, once. It
 * is no superuser: permissions do not bind one.
 */
@Tag("long")
class MoveUnderFaultsIT {
    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";
    private static final Path FOLDER = new Path("/work/logs");
    private static final int OLD_FILES = 200;
    private static final int CHANGES_BETWEEN = 10;

    @Test
    void aWriterNoticesNeitherMovesNorFailovers() throws Exception {
        try (HaCluster first = nameservice("ns1", 2);
                HaCluster second = nameservice("ns2", 0)) {
            FederatedClusters.join(first, second);
            first.setUp();
            second.setUp();
            serveBoth(first.dataNodes(), first, second);
            first.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
            DistributedFileSystem here = first.newFileSystem();
            DistributedFileSystem there = second.newFileSystem();
            for (int i = 0; i < OLD_FILES; i++) {
                write(here, new Path(FOLDER, "old/" + i));
            }
            here.setOwner(FOLDER, "alice", "staff");
            ExecutorService threads = Executors.newCachedThreadPool();
            Configuration conf = conf(first);
            try (FileSystem files = UserGroupInformation.createRemoteUser("alice")
                    .doAs((PrivilegedExceptionAction<FileSystem>)
                            () -> FileSystem.newInstance(URI.create("hdfs://cluster"), conf))) {
                Writer writer = new Writer(files);
                Future<?> writing = threads.submit(writer);
                awaitMore(writer, writing);

                move(first, "ns2", first, () -> there.exists(new Path(FOLDER, "old")));
                awaitMore(writer, writing);
                move(first, "ns1", first, () -> here.exists(new Path(FOLDER, "old")));
                awaitMore(writer, writing);
                move(first, "ns2", first, () -> isFrozen(here));
                awaitMore(writer, writing);
                move(first, "ns1", first, () -> isFrozen(there));
                awaitMore(writer, writing);
                move(first, "ns2", second, () -> isFrozen(here));
                awaitMore(writer, writing);

                writer.isOver = true;
                writing.get();
                assertThat(contents(files)).isEqualTo(writer.acknowledged);
                assertThat(files.listStatus(new Path(FOLDER, "old"))).hasSize(OLD_FILES);
            } finally {
                threads.shutdownNow();
            }
            first.succeeded();
            second.succeeded();
        }
    }

    private static HaCluster nameservice(String nameservice, int dataNodes) {
        return HaCluster.builder("moves-" + nameservice)
                .nameservice(nameservice)
                .dataNodes(dataNodes)
                .withAutomaticFailover()
                .property("trefoil.ha.subtrees", "true")
                .property("dfs.datanode.plugins", "io.trefoil.datanode.hdfs.BlockLinkPlugin")
                .create();
    }

    private static void serveBoth(List<Server> dataNodes, HaCluster first, HaCluster second) {
        first.setProperty("dfs.internal.nameservices", "ns1,ns2");
        dataNodes.forEach(Server::kill9);
        dataNodes.forEach(Server::start);
        Await.until(
                "the DataNodes serve both",
                Reckoning.LIMIT,
                () -> second.newFileSystem().getDataNodeStats(DatanodeReportType.LIVE).length == dataNodes.size(),
                second::describe);
    }

    private static Configuration conf(HaCluster cluster) {
        Configuration conf = cluster.clientConfiguration();
        for (String nameservice : List.of("ns1", "ns2")) {
            conf.set("dfs.client.failover.proxy.provider." + nameservice, SmartFailoverProxyProvider.class.getName());
        }
        conf.set("fs.viewfs.mounttable.path", TABLE);
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        conf.set("trefoil.client.subtrees.check-timeout", "1m");
        return conf;
    }

    private static boolean isFrozen(DistributedFileSystem owner) throws IOException {
        return owner.getXAttrs(new Path(FrozenMark.FOLDER)).keySet().stream()
                .anyMatch(name -> name.startsWith(FrozenMark.PREFIX));
    }

    /** Kills an active at a moment of the move, which is repeated until it is done, as the page says. */
    private static void move(HaCluster host, String target, HaCluster victim, Callable<Boolean> moment)
            throws Exception {
        ToolResult[] last = new ToolResult[1];
        CompletableFuture<Void> moving = CompletableFuture.runAsync(() -> Await.until(
                "the move to " + target,
                Reckoning.LIMIT,
                () -> {
                    last[0] = host.trefoil(
                            "subtree", "move", FOLDER.toString(), "--to", target, "--pause", "10", "--table", TABLE);
                    return last[0].exitCode() == 0 || last[0].output().contains("is an entry already");
                },
                () -> String.valueOf(last[0])));
        while (!moment.call()) {
            assertThat(moving)
                    .as("the moment to kill comes before the end: %s", last[0])
                    .isNotDone();
        }
        victim.active().orElseThrow().kill9();
        moving.get();
        victim.startNameNodes();
    }

    private static void awaitMore(Writer writer, Future<?> writing) throws Exception {
        int wanted = writer.done.get() + CHANGES_BETWEEN;
        Await.until(
                "files are written", Reckoning.LIMIT, () -> writing.isDone() || writer.done.get() >= wanted, () -> "");
        if (writing.isDone()) {
            writing.get();
        }
    }

    private static void write(FileSystem files, Path path) throws IOException {
        try (OutputStream out = files.create(path, false)) {
            out.write(path.getName().getBytes(UTF_8));
        }
    }

    private static String read(FileSystem files, Path path) throws IOException {
        try (FSDataInputStream in = files.open(path)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static Map<String, String> contents(FileSystem files) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        for (FileStatus one : files.listStatus(new Path(FOLDER, "new"))) {
            contents.put(one.getPath().getName(), read(files, one.getPath()));
        }
        return contents;
    }

    /** Makes, renames, reads and deletes files; each of these calls would fail if it were executed twice, or not at all. */
    private static final class Writer implements Callable<Void> {
        final Map<String, String> acknowledged = new TreeMap<>();
        final AtomicInteger done = new AtomicInteger();
        volatile boolean isOver;
        private final FileSystem files;

        Writer(FileSystem files) {
            this.files = files;
        }

        @Override
        public Void call() throws IOException {
            for (int i = 0; !isOver; i++) {
                Path file = new Path(FOLDER, "new/" + i);
                write(files, file);
                assertThat(read(files, file)).isEqualTo(file.getName());
                if (i % 3 == 0) {
                    assertThat(files.delete(file, false)).isTrue();
                } else if (i % 3 == 1) {
                    assertThat(files.rename(file, new Path(FOLDER, "new/renamed-" + i)))
                            .isTrue();
                    acknowledged.put("renamed-" + i, file.getName());
                } else {
                    acknowledged.put(file.getName(), file.getName());
                }
                done.incrementAndGet();
            }
            return null;
        }
    }
}

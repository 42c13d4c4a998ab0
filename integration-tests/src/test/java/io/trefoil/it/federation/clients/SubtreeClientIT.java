/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.client.hdfs.SmartFailoverProxyProvider;
import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.client.hdfs.SubtreeFs;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Writers in a subtree notice neither that it goes from one nameservice to the other, nor that an active is killed meanwhile. */
@Tag("long")
class SubtreeClientIT {
    private static final URI CLUSTER = URI.create("hdfs://cluster");
    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";
    private static final Path DIRECTORY = new Path("/work/logs");
    private static final int CHANGES_BETWEEN = 20;

    private interface FileAction {
        void run() throws IOException;
    }

    /** A file that is created, and deleted again, so that the directory can be given away; of both, each must happen once. */
    private static final class Writer {
        private final AtomicInteger written = new AtomicInteger();
        private final Future<?> end;

        Writer(
                ExecutorService threads,
                AtomicBoolean isOver,
                FileAction create,
                FileAction delete,
                FileAction remoteAction) {
            end = threads.submit(() -> {
                while (!isOver.get()) {
                    create.run();
                    delete.run();
                    written.incrementAndGet();
                    // For so long the directory is empty.
                    for (int call = 0; call < 1000; call++) {
                        remoteAction.run();
                    }
                }
                return null;
            });
        }

        void awaitMore() {
            int target = written.get() + CHANGES_BETWEEN;
            Await.until("files are written", Await.TIMEOUT, () -> end.isDone() || written.get() >= target, () -> "");
            assertThat(end).isNotDone();
        }
    }

    @Test
    void writersNoticeNeitherTableChangesNorFailovers() throws Exception {
        try (HaCluster first = plan("ns1");
                HaCluster second = plan("ns2")) {
            FederatedClusters.join(first, second);
            first.setUp();
            second.setUp();
            List<FileSystem> each = List.of(first.newFileSystem(), second.newFileSystem());
            for (FileSystem one : each) {
                one.mkdirs(DIRECTORY);
            }
            first.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
            Configuration conf = conf(first);
            ExecutorService threads = Executors.newCachedThreadPool();
            AtomicBoolean isOver = new AtomicBoolean();
            try (FileSystem files = FileSystem.newInstance(CLUSTER, conf)) {
                List<Writer> writers = List.of(
                        writerByFileSystem(threads, isOver, files, new Path(DIRECTORY, "system")),
                        writerByFileContext(
                                threads,
                                isOver,
                                FileContext.getFileContext(CLUSTER, conf),
                                new Path(DIRECTORY, "context")));
                writers.forEach(Writer::awaitMore);

                change(first, "add", DIRECTORY.toString(), "ns2");
                writers.forEach(Writer::awaitMore);
                runDuring(first.awaitActive()::kill9, () -> change(first, "remove", DIRECTORY.toString()));
                writers.forEach(Writer::awaitMore);
                runDuring(second.awaitActive()::kill9, () -> change(first, "add", DIRECTORY.toString(), "ns2"));
                writers.forEach(Writer::awaitMore);

                isOver.set(true);
                for (Writer one : writers) {
                    one.end.get();
                }
            } finally {
                isOver.set(true);
                threads.shutdownNow();
            }
            for (FileSystem one : each) {
                assertThat(one.listStatus(DIRECTORY)).isEmpty();
            }
            first.markSucceeded();
            second.markSucceeded();
        }
    }

    private static HaCluster plan(String nameservice) {
        return HaCluster.builder("subtrees-" + nameservice)
                .nameservice(nameservice)
                .dataNodes(1)
                .withAutomaticFailover()
                .create();
    }

    private static Configuration conf(HaCluster cluster) {
        Configuration conf = cluster.clientConfiguration();
        for (String nameservice : List.of("ns1", "ns2")) {
            conf.set("dfs.client.failover.proxy.provider." + nameservice, SmartFailoverProxyProvider.class.getName());
        }
        conf.set("fs.viewfs.mounttable.path", TABLE);
        conf.set("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        conf.set("fs.AbstractFileSystem.hdfs.impl", SubtreeFs.class.getName());
        conf.set("trefoil.client.failover.timeout.cluster", "1m");
        return conf;
    }

    private static Writer writerByFileSystem(
            ExecutorService threads, AtomicBoolean isOver, FileSystem files, Path path) {
        return new Writer(
                threads,
                isOver,
                () -> files.create(path, false).close(),
                () -> assertThat(files.delete(path, false)).isTrue(),
                () -> files.getFileStatus(DIRECTORY.getParent()));
    }

    private static Writer writerByFileContext(
            ExecutorService threads, AtomicBoolean isOver, FileContext files, Path path) {
        return new Writer(
                threads,
                isOver,
                () -> files.create(path, EnumSet.of(CreateFlag.CREATE)).close(),
                () -> assertThat(files.delete(path, false)).isTrue(),
                () -> files.getFileStatus(DIRECTORY.getParent()));
    }

    /** It is refused while a file is in the directory, and fails with its active: then it is repeated, as the page says. */
    private static void change(HaCluster host, String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--table", TABLE));
        ToolResult[] last = new ToolResult[1];
        Await.until(
                String.join(" ", all),
                Await.TIMEOUT,
                () -> {
                    last[0] = host.trefoil(all.toArray(String[]::new));
                    return last[0].exitCode() == 0
                            || last[0].output().contains("is an entry already")
                            || last[0].output().contains("is no entry");
                },
                () -> last[0].output());
    }

    private static void runDuring(Runnable fault, Runnable change) {
        CompletableFuture<Void> running = CompletableFuture.runAsync(change);
        fault.run();
        running.join();
    }
}

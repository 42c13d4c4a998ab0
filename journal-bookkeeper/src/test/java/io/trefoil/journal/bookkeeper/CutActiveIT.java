/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An active that clients reach, and whose packets to the bookies and to ZooKeeper vanish without a word. */
@Tag("long")
class CutActiveIT {
    private static final String FRESH = "/fresh";

    @TempDir
    private Path directory;

    @Test
    void cutActiveAnswersNothingStaleAndLosesNothing() throws Exception {
        assumeThat(System.getProperty("user.name")).as("makes networks").isEqualTo("root");
        try (SeparateHosts hosts = new SeparateHosts(3);
                Bookies bookies = Bookies.startAt(hosts.store(), directory);
                NameNodeProcesses group = new NameNodeProcesses(directory.resolve("group"), "ns1", bookies, hosts)) {
            group.setClassPath(RelocatedJarIT.releaseClassPath());
            group.format();
            group.startAll();
            String cut = group.awaitActive();
            group.names().stream().filter(name -> !name.equals(cut)).forEach(group::awaitStandby);
            try (FileSystem client = group.client()) {
                List<String> acknowledged = new ArrayList<>();
                makeDirectories(client, "before", acknowledged);

                StaleReads reads = new StaleReads(group.impatientClient(cut));
                CompletableFuture<Void> reader = CompletableFuture.runAsync(reads);
                await().atMost(NameNodeProcesses.TIMEOUT).until(() -> reads.answered.get() > 0);
                hosts.cut(group.names().indexOf(cut));
                group.awaitActiveOtherThan(cut);
                makeDirectories(client, "during", acknowledged);
                client.mkdirs(new org.apache.hadoop.fs.Path(FRESH));
                reads.acknowledge();
                acknowledged.add(FRESH);
                reads.awaitMore(3);
                hosts.heal(group.names().indexOf(cut));
                makeDirectories(client, "after", acknowledged);
                await().atMost(NameNodeProcesses.TIMEOUT).until(() -> hasStepDown(group, cut));
                reads.end();
                reader.get(1, TimeUnit.MINUTES);

                assertThat(reads.stale).isEmpty();
                if (!group.isAlive(cut)) {
                    group.start(cut);
                }
                group.awaitStandby(cut);
                for (String path : acknowledged) {
                    assertThat(client.exists(new org.apache.hadoop.fs.Path(path)))
                            .as(path)
                            .isTrue();
                }
            }
        }
    }

    private static boolean hasStepDown(NameNodeProcesses group, String name) {
        return !group.isAlive(name)
                || group.state(name).filter(HAServiceState.STANDBY::equals).isPresent();
    }

    private static void makeDirectories(FileSystem client, String prefix, List<String> acknowledged)
            throws IOException {
        for (int i = 0; i < 20; i++) {
            String path = "/" + prefix + i;
            client.mkdirs(new org.apache.hadoop.fs.Path(path));
            acknowledged.add(path);
        }
    }

    /** A client that asks one NameNode for a directory again and again, and notes when it is missing although it was acknowledged. */
    private static final class StaleReads implements Runnable {
        private final ClientProtocol nameNode;
        private final AtomicBoolean isEnded = new AtomicBoolean();
        private final AtomicLong acknowledgedNanos = new AtomicLong(Long.MAX_VALUE);
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger tried = new AtomicInteger();
        private final List<String> stale = Collections.synchronizedList(new ArrayList<>());

        StaleReads(ClientProtocol nameNode) {
            this.nameNode = nameNode;
        }

        @Override
        public void run() {
            while (!isEnded.get()) {
                long begunNanos = System.nanoTime();
                try {
                    boolean isMissing = nameNode.getFileInfo(FRESH) == null;
                    answered.incrementAndGet();
                    if (isMissing && begunNanos >= acknowledgedNanos.get()) {
                        stale.add("read " + tried.get());
                    }
                } catch (IOException e) {
                    // Refused, or without an answer in time: nothing stale.
                }
                tried.incrementAndGet();
            }
        }

        void acknowledge() {
            acknowledgedNanos.set(System.nanoTime());
        }

        /** Waits until as many reads have been tried that began after now. */
        void awaitMore(int count) {
            int goal = tried.get() + 1 + count;
            await().atMost(NameNodeProcesses.TIMEOUT).until(() -> tried.get() >= goal);
        }

        void end() {
            isEnded.set(true);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our agent on a journal in BookKeeper: three bookies and three NameNodes, each a process that may be killed or stopped. */
class BkFailoverTest {
    /** How many reads a frozen active finds when it goes on. */
    private static final int READS = 20;

    @TempDir
    private static Path directory;

    private static Bookies bookies;
    private static NameNodeProcesses group;
    private static FileSystem client;

    /** The directories whose creation was acknowledged. */
    private final List<org.apache.hadoop.fs.Path> acknowledged = new ArrayList<>();

    @BeforeAll
    static void startGroup() throws Exception {
        bookies = Bookies.start(directory);
        group = new NameNodeProcesses(directory.resolve("group"), "ns1", bookies);
        group.format();
        group.startAll();
        group.awaitActive();
        client = group.client();
    }

    @AfterAll
    static void stopGroup() throws Exception {
        // Also what was started before something failed.
        for (AutoCloseable each : new AutoCloseable[] {client, group, bookies}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private String awaitActiveAndStandbys() {
        String active = group.awaitActive();
        group.names().stream().filter(name -> !name.equals(active)).forEach(group::awaitStandby);
        return active;
    }

    private void makeDirectories(String prefix, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/" + prefix + i);
            client.mkdirs(path);
            acknowledged.add(path);
        }
    }

    private void requireNothingLost() throws Exception {
        for (org.apache.hadoop.fs.Path path : acknowledged) {
            assertThat(client.exists(path)).as("%s", path).isTrue();
        }
    }

    @Test
    void standbyTakesOverWithoutLossWhenActiveIsKilled() throws Exception {
        String active = awaitActiveAndStandbys();
        makeDirectories("before-kill", 20);

        group.kill(active);

        assertThat(group.awaitActiveOtherThan(active)).isNotEqualTo(active);
        makeDirectories("after-kill", 20);
        requireNothingLost();
        group.start(active);
        group.awaitStandby(active);
    }

    @Test
    void roleIsHandedOverWhenOperatorAsks() throws Exception {
        String active = awaitActiveAndStandbys();
        String next = group.names().stream()
                .filter(name -> !name.equals(active))
                .findFirst()
                .get();
        makeDirectories("before-order", 20);

        // A standby that has just become one may still count quotas, and says so.
        await().atMost(NameNodeProcesses.TIMEOUT).until(() -> group.failOver(active, next) == 0);

        assertThat(group.active()).contains(next);
        assertThat(group.isAlive(active)).isTrue();
        makeDirectories("after-order", 20);
        requireNothingLost();
    }

    @Test
    void statusShowsLedgersAndBookies() throws Exception {
        String active = awaitActiveAndStandbys();

        await().atMost(NameNodeProcesses.TIMEOUT).untilAsserted(() -> assertThat(group.status(active))
                .contains("healthy: " + active + " is active; may lose one more node")
                .contains("\"mayLose\":1,\"list\":[")
                .contains("\"missing\":[]"));
    }

    @Test
    void activeStaysWhenBookieIsKilled() throws Exception {
        String active = awaitActiveAndStandbys();
        try {
            bookies.kill(0);
            makeDirectories("without-bookie", 20);
            assertThat(group.active()).contains(active);
            requireNothingLost();
        } finally {
            bookies.restartAll();
        }
    }

    @Test
    void frozenActiveAnswersNothingStaleWhenItGoesOn() throws Exception {
        String frozen = awaitActiveAndStandbys();
        makeDirectories("before-freeze", 5);
        ClientProtocol direct = group.client(frozen);
        assertThat(direct.getFileInfo("/fresh")).isNull();
        group.signal(frozen, "STOP");
        group.awaitActiveOtherThan(frozen);
        makeDirectories("fresh", 1);
        client.mkdirs(new org.apache.hadoop.fs.Path("/fresh"));
        List<CompletableFuture<Optional<HdfsFileStatus>>> reads = new ArrayList<>();
        for (int i = 0; i < READS; i++) {
            reads.add(CompletableFuture.supplyAsync(() -> read(frozen)));
        }
        // They wait in its socket.
        await().during(Duration.ofMillis(500)).until(() -> reads.stream().noneMatch(CompletableFuture::isDone));

        group.signal(frozen, "CONT");

        for (CompletableFuture<Optional<HdfsFileStatus>> read : reads) {
            assertThat(read.handle((found, refusal) -> refusal != null || found.isPresent())
                            .get(1, TimeUnit.MINUTES))
                    .as("refused, or answered with what the new active has acknowledged")
                    .isTrue();
        }
        requireNothingLost();
        await().atMost(NameNodeProcesses.TIMEOUT).until(() -> !group.isAlive(frozen));
        group.start(frozen);
        group.awaitStandby(frozen);
    }

    private static Optional<HdfsFileStatus> read(String name) {
        try {
            return Optional.ofNullable(group.client(name).getFileInfo("/fresh"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

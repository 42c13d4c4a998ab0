/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Moves of subtrees that clients of two stock Routers use meanwhile. */
class MovesBehindRoutersTest extends RouterFixture {

    /** A user's programs on a stock client of both Routers, each of which writes, renames and reads until it fails or is to stop. */
    private static final class Programs implements AutoCloseable {
        private static final int PROGRAMS = 3;
        private final ExecutorService threads = Executors.newFixedThreadPool(PROGRAMS);
        private final AtomicBoolean isToStop = new AtomicBoolean();
        private final List<AtomicInteger> rounds = new ArrayList<>();
        private final List<Future<?>> running = new ArrayList<>();

        Programs(String directory) {
            for (int i = 0; i < PROGRAMS; i++) {
                AtomicInteger round = new AtomicInteger();
                String file = directory + "/of" + i + "-";
                rounds.add(round);
                PrivilegedExceptionAction<Void> program = () -> runRounds(file, round);
                UserGroupInformation alice = UserGroupInformation.createUserForTesting("alice", new String[] {"staff"});
                running.add(threads.submit(() -> alice.doAs(program)));
            }
        }

        private Void runRounds(String file, AtomicInteger round) throws IOException {
            Configuration conf = federation.clientConfiguration();
            configureRouters(conf);
            try (FileSystem files = FileSystem.newInstance(URI.create("hdfs://fed"), conf)) {
                while (!isToStop.get()) {
                    Path made = new Path(file + round.get());
                    Path draft = made.suffix(".draft");
                    write(files, draft.toString());
                    assertThat(files.rename(draft, made))
                            .as("rename to " + made)
                            .isTrue();
                    try (FSDataInputStream in = files.open(made)) {
                        assertThat(in.readUTF()).isEqualTo(draft.toString());
                    }
                    round.incrementAndGet();
                }
            }
            return null;
        }

        /** Returns when each has done as many rounds more, or one has failed. */
        void awaitRounds(int more) {
            List<Integer> wanted =
                    rounds.stream().map(round -> round.get() + more).collect(Collectors.toList());
            for (int i = 0; i < PROGRAMS; i++) {
                int program = i;
                await().atMost(LIMIT)
                        .until(() -> rounds.get(program).get() >= wanted.get(program)
                                || running.stream().anyMatch(Future::isDone));
            }
        }

        /** Stops them; fails with what one failed with. Returns the names of all files that they made. */
        Set<String> stopAndListCreated() throws Exception {
            isToStop.set(true);
            Set<String> made = new TreeSet<>();
            for (int i = 0; i < PROGRAMS; i++) {
                running.get(i).get();
                for (int round = 0; round < rounds.get(i).get(); round++) {
                    made.add("of" + i + "-" + round);
                }
            }
            return made;
        }

        @Override
        public void close() {
            isToStop.set(true);
            threads.shutdownNow();
        }
    }

    private void createDirectoriesOfAlice(String directory) throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            one.mkdirs(new Path(directory).getParent());
        }
        first.mkdirs(new Path(directory));
        first.setOwner(new Path(directory), "alice", "staff");
    }

    private static Set<String> namesIn(FileSystem files, String directory) throws IOException {
        return Arrays.stream(files.listStatus(new Path(directory)))
                .map(one -> one.getPath().getName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void routerClientsContinueThroughMove() throws Exception {
        federation.enableGate("ns1");
        createDirectoriesOfAlice("/alive/sales");
        runSuccessfully("table", "create", "cluster");
        assertThat(runMirror()).as(output + errors).isZero();
        List<String> move = new ArrayList<>(List.of("subtree", "move", "/alive/sales", "--to", "ns2"));
        ROUTERS.forEach(router -> move.addAll(List.of("--router", router.adminAddress())));
        // Who reads a file when it is deleted at the source fails, whichever client it has.
        move.add("--keep-source");
        try (Programs programs = new Programs("/alive/sales")) {
            programs.awaitRounds(2);
            runSuccessfully(move.toArray(String[]::new));
            programs.awaitRounds(2);
            Set<String> made = programs.stopAndListCreated();

            assertThat(namesIn(second, "/alive/sales")).isEqualTo(made);
            assertThat(made).hasSizeGreaterThan(namesIn(first, "/alive/sales").size());
            runSuccessfully("subtree", "status");
            assertThat(output).contains("Routers that follow it: 127.0.0.1:" + adminPort + ", 127.0.0.2:" + adminPort);
            runSuccessfully("subtree", "move", "/alive/sales", "--to", "ns2");
            assertThat(runMirror("--dry-run")).as(output + errors).isZero();
            assertThat(output).contains("Nothing is to be changed.");
        } finally {
            federation.disableGates();
        }
    }

    /** Their clients wait until an operator mirrors the table. */
    @Test
    void routerClientsContinueWhenTableIsMirroredAfterMove() throws Exception {
        federation.enableGate("ns1");
        createDirectoriesOfAlice("/late/sales");
        runSuccessfully("table", "create", "cluster");
        assertThat(runMirror()).as(output + errors).isZero();
        try (Programs programs = new Programs("/late/sales")) {
            programs.awaitRounds(2);
            runSuccessfully("subtree", "move", "/late/sales", "--to", "ns2", "--keep-source");
            assertThat(runMirror()).as(output + errors).isZero();
            programs.awaitRounds(2);
            Set<String> made = programs.stopAndListCreated();
            assertThat(namesIn(second, "/late/sales")).isEqualTo(made);
            runSuccessfully("subtree", "move", "/late/sales", "--to", "ns2");
        } finally {
            federation.disableGates();
        }
    }

    @Test
    void moveCompletesOnceOnlyRunningRoutersAreNamed() throws Exception {
        createDirectoriesOfAlice("/down/sales");
        write(first, "/down/sales/file");
        runSuccessfully("table", "create", "cluster");
        String nobody = "127.0.0.1:" + TestPorts.free();
        String router = ROUTERS.get(0).adminAddress();
        String[] move = {"subtree", "move", "/down/sales", "--to", "ns2", "--router", nobody};

        assertThat(run(move)).isEqualTo(3);
        assertThat(errors).contains("No Router gives its mount table. " + nobody);
        runSuccessfully("subtree", "status");
        assertThat(output).contains("No subtree is being moved.");

        List<String> both = new ArrayList<>(List.of(move));
        both.addAll(List.of("--router", router));
        assertThat(run(both.toArray(String[]::new))).isEqualTo(1);
        assertThat(errors).contains("would with the move change more than its subtree: add / ns1");
        assertThat(runMirror()).as(output + errors).isZero();
        assertThat(run(both.toArray(String[]::new))).isEqualTo(1);
        assertThat(errors)
                .contains("Routers do not follow yet: " + nobody + ": ")
                .contains("/down/sales belongs to ns2 and is open there, but not all Routers follow: " + nobody + ": ");
        try (FileSystem throughIt = clientThrough(HOSTS.get(0))) {
            write(throughIt, "/down/sales/new");
        }
        assertThat(namesIn(second, "/down/sales")).containsExactly("file", "new");
        // As long as it is not known to follow, the command goes on asking, and so does a process that repeats it.
        runSuccessfully("subtree", "status");
        assertThat(output).contains("or Routers do not follow", nobody);
        assertThat(run("subtree", "move", "/down/sales", "--to", "ns2")).isEqualTo(1);
        assertThat(errors).contains("not all Routers follow: " + nobody);

        runSuccessfully("subtree", "move", "/down/sales", "--to", "ns2", "--router", router);
        runSuccessfully("subtree", "status");
        assertThat(output).contains("No subtree is being moved.");
    }

    @Test
    void moveCompletesWithoutPermanentlyLostRouters() throws Exception {
        createDirectoriesOfAlice("/gone/sales");
        write(first, "/gone/sales/file");
        runSuccessfully("table", "create", "cluster");
        assertThat(runMirror()).as(output + errors).isZero();
        runSuccessfully(
                "subtree",
                "move",
                "/gone/sales",
                "--to",
                "ns2",
                "--keep-source",
                "--router",
                ROUTERS.get(0).adminAddress());
        String nobody = "127.0.0.1:" + TestPorts.free();
        assertThat(run("subtree", "move", "/gone/sales", "--to", "ns2", "--router", nobody))
                .isEqualTo(1);
        assertThat(errors).contains("or none of them: --router none");

        runSuccessfully("subtree", "move", "/gone/sales", "--to", "ns2", "--router", "none");
        runSuccessfully("subtree", "status");
        assertThat(output).contains("No subtree is being moved.");
        assertThat(namesIn(second, "/gone/sales")).containsExactly("file");
    }
}

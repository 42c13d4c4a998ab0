/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.history.Linearizability;
import io.trefoil.it.history.Operation;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A subtree goes from one nameservice to the other and back while clients work in it and beside it, and in each move a process that takes
 * part is killed in the middle of a phase. No client is refused, an order of single executions explains what they were told, and each
 * file is there once, with its bytes, at its owner alone.
 *
 * <p>{@code -Dtrefoil.it.moves=30} has every victim in every phase; fewer moves have every phase equally often, with other victims each
 * time. {@code -Dseed} repeats the order. {@code -Dtrefoil.it.moves.kills=MOVER:CLOSED,DATA_NODE:FROZEN} has these alone, in this order.
 */
@Tag("long")
class MoveUnderFaultsIT {
    private static final String KILLS = System.getProperty("trefoil.it.moves.kills", "");
    private static final int MOVES = Integer.getInteger("trefoil.it.moves", 12);

    private static final Path DIRECTORY = new Path("/data/logs");
    private static final Path OTHER_DIRECTORY = new Path("/data/other");
    private static final int OLD_DIRECTORIES = 40;
    private static final int FILES_IN_DIRECTORY = 3;
    /** Slow enough that the phases before the pause last seconds. */
    private static final String RATE = "150";

    private static final int INNER_CLIENTS = 4;
    private static final int OUTER_CLIENTS = 2;
    private static final int HISTORIES = 6;
    private static final long CALLS = 100;
    private static final int FILES = 10;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void acknowledgedChangesExistOnceWhenAnyProcessIsKilled() throws Exception {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("-Dseed=" + seed + " repeats the order of the kills");
        ExecutorService threads = Executors.newCachedThreadPool();
        try (MovingFederation federation = new MovingFederation()) {
            Run run = new Run(federation, threads, new Random(seed));
            int number = 0;
            for (Kill kill : KILLS.isEmpty() ? plannedKills(run.random) : plannedKills(KILLS, run.random)) {
                run.move(++number, kill);
            }
            federation.markSucceeded();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Who is killed when, and what the operator does if it was the command. */
    private record Kill(MoveVictim victim, MovePhase phase, OperatorAction operator) {}

    private enum OperatorAction {
        REPEATS_THE_COMMAND,
        ABORTS_FIRST
    }

    private static List<Kill> plannedKills(Random random) {
        List<MoveVictim> victims = new ArrayList<>(List.of(MoveVictim.values()));
        Collections.shuffle(victims, random);
        List<MovePhase> phases = new ArrayList<>(List.of(MovePhase.values()));
        Collections.shuffle(phases, random);
        List<Kill> kills = new ArrayList<>();
        for (int i = 0; i < MOVES; i++) {
            int round = i / phases.size();
            MovePhase phase = phases.get(i % phases.size());
            MoveVictim victim = victims.get((i % phases.size() + round) % victims.size());
            kills.add(kill(victim, phase, random));
        }
        return kills;
    }

    private static List<Kill> plannedKills(String list, Random random) {
        return Stream.of(list.split(","))
                .map(text -> text.split(":"))
                .map(words -> kill(MoveVictim.valueOf(words[0]), MovePhase.valueOf(words[1]), random))
                .collect(Collectors.toList());
    }

    private static Kill kill(MoveVictim victim, MovePhase phase, Random random) {
        boolean aborts = victim == MoveVictim.MOVER && phase.isBeforeSwitch() && random.nextBoolean();
        return new Kill(victim, phase, aborts ? OperatorAction.ABORTS_FIRST : OperatorAction.REPEATS_THE_COMMAND);
    }

    private static final class Run {
        private final MovingFederation federation;
        private final ExecutorService threads;
        private final Random random;
        private final DistributedFileSystem alice;
        private final List<DistributedFileSystem> users = new ArrayList<>();
        private final Map<String, String> old = new TreeMap<>();
        private String source = MovingFederation.KEEPER;
        private String target = MovingFederation.OTHER;

        Run(MovingFederation federation, ExecutorService threads, Random random) throws Exception {
            this.federation = federation;
            this.threads = threads;
            this.random = random;
            DistributedFileSystem keeper = federation.clientOfNameservice(MovingFederation.KEEPER);
            keeper.mkdirs(DIRECTORY);
            keeper.setOwner(DIRECTORY, "alice", "staff");
            alice = federation.clientOf("alice");
            for (int i = 0; i < OLD_DIRECTORIES * FILES_IN_DIRECTORY; i++) {
                Path file = new Path(DIRECTORY, "old-" + i % OLD_DIRECTORIES + "/" + i);
                LogWriter.write(alice, file);
                old.put(file.toString(), file.getName());
            }
            for (int i = 0; i < INNER_CLIENTS + OUTER_CLIENTS; i++) {
                users.add(federation.clientOf("user-" + i));
            }
        }

        void move(int number, Kill kill) throws Exception {
            MovePhase.MoveContext move =
                    new MovePhase.MoveContext(federation, DIRECTORY, source, target, federation.versionCount() + 1);
            String name = "turn-" + number;
            LogWriter writer = new LogWriter(alice, new Path(DIRECTORY, name));
            Future<Void> writing = threads.submit(writer);
            Map<String, String> expectedContents = new TreeMap<>(old);
            try (SubtreeUsers inside = clients(move.source(), DIRECTORY, name, 0, INNER_CLIENTS);
                    SubtreeUsers outside =
                            clients(MovingFederation.KEEPER, OTHER_DIRECTORY, name, INNER_CLIENTS, OUTER_CLIENTS)) {
                Callable<Void> work = () -> {
                    long goal = inside.answeredCalls() + CALLS;
                    long goalOutside = outside.answeredCalls() + CALLS;
                    int files = writer.completedRounds() + FILES;
                    Await.until(
                            "clients go on",
                            Await.TIMEOUT,
                            () -> writing.isDone()
                                    || (inside.answeredCalls() >= goal
                                            && outside.answeredCalls() >= goalOutside
                                            && writer.completedRounds() >= files),
                            federation::describe);
                    if (writing.isDone()) {
                        writing.get();
                    }
                    return null;
                };
                work.call();
                Path open = new Path(DIRECTORY, "open-" + number);
                if (kill.phase() == MovePhase.FROZEN) {
                    try (OutputStream out = alice.create(open, false)) {
                        moveAndKill(number, kill, move);
                        out.write(open.getName().getBytes(UTF_8));
                    }
                    expectedContents.put(open.toString(), open.getName());
                } else {
                    moveAndKill(number, kill, move);
                }
                complete(kill, move, work);
                federation.awaitHealthy();
                work.call();

                writer.end();
                writing.get();
                inside.stop();
                outside.stop();
                expectedContents.putAll(writer.acknowledgedContents());
                check(name, inside, federation.clientOfNameservice(move.target()));
                check(name, outside, federation.clientOfNameservice(MovingFederation.KEEPER));
                expectedContents.putAll(emptyFilesOf(name));
            }
            assertMoveIsAt(move, expectedContents);
            federation.awaitDataNodes();
            alice.delete(new Path(DIRECTORY, name), true);
            federation.clientOfNameservice(target).delete(historyDirectory(DIRECTORY, name), true);
            federation.clientOfNameservice(target).delete(new Path(DIRECTORY, "open-" + number), false);
            source = move.target();
            target = move.source();
        }

        private static Path historyDirectory(Path directory, String name) {
            return new Path(directory, "histories-" + name);
        }

        private SubtreeUsers clients(String owner, Path directory, String name, int first, int count)
                throws IOException {
            return SubtreeUsers.start(
                    federation.clientOfNameservice(owner),
                    users.subList(first, first + count),
                    historyDirectory(directory, name),
                    HISTORIES,
                    random.nextLong());
        }

        private void begin(String target) {
            federation.start("move", DIRECTORY.toString(), "--to", target, "--pause", "10", "--rate", RATE);
        }

        /** Begins the move, and kills when it is in the phase. */
        private void moveAndKill(int number, Kill kill, MovePhase.MoveContext move) throws Exception {
            Runnable weapon = kill.victim().selectTarget(move, random);
            begin(move.target());
            while (!isInPhase(kill.phase(), move)) {
                if (!federation.isRunning()) {
                    assertThat(federation.hasVersion(move.version()))
                            .as("the move comes to " + kill.phase() + ": " + federation.commandOutput())
                            .isFalse();
                    begin(move.target());
                }
            }
            weapon.run();
            System.out.printf(
                    "%d: %s killed in %s of a move from %s to %s; just afterwards the record said %s, version %s%n",
                    number,
                    kill.victim(),
                    kill.phase(),
                    move.source(),
                    move.target(),
                    federation.recordedPhase().orElse("nothing"),
                    federation.hasVersion(move.version()) ? "made" : "not made");
        }

        private static boolean isInPhase(MovePhase phase, MovePhase.MoveContext move) {
            try {
                return phase.isReached(move);
            } catch (IOException e) {
                // The target's directory may not be there yet, and the record may be replaced while it is read.
                return false;
            }
        }

        private void complete(Kill kill, MovePhase.MoveContext move, Callable<Void> work) throws Exception {
            if (kill.operator() == OperatorAction.ABORTS_FIRST && !federation.hasVersion(move.version())) {
                abort(move);
                work.call();
            }
            for (int attempt = 1; ; attempt++) {
                boolean isOver = federation.hasVersion(move.version())
                        && !federation.recordedPhase().isPresent();
                if (!federation.isRunning() && !isOver) {
                    begin(move.target());
                }
                int code = federation.exitCode();
                if (code == 0 || isOver) {
                    System.out.println("   complete after " + attempt + " commands");
                    return;
                }
                System.out.println("   " + federation.commandOutput());
                assertThat(attempt)
                        .as("attempts: " + federation.commandOutput())
                        .isLessThan(10);
            }
        }

        private void abort(MovePhase.MoveContext move) throws Exception {
            federation.start("abort");
            int code = federation.exitCode();
            assertThat(code).as("abort: " + federation.commandOutput()).isZero();
            assertThat(federation.recordedPhase()).isEmpty();
            assertThat(federation.hasVersion(move.version())).isFalse();
            assertThat(LogWriter.contents(federation.clientOfNameservice(move.target()), DIRECTORY))
                    .isEmpty();
            assertThat(federation.frozenMark(move.source())).isEmpty();
            assertThat(federation
                            .clientOfNameservice(move.source())
                            .getFileStatus(DIRECTORY)
                            .isSnapshotEnabled())
                    .isFalse();
            System.out.println("   aborted");
        }

        private static void check(String name, SubtreeUsers clients, DistributedFileSystem owner) throws IOException {
            assertThat(clients.errors()).as(name + ": refusals and errors").isEmpty();
            List<List<Operation>> histories = clients.historiesUpTo(owner);
            for (List<Operation> history : histories) {
                assertThat(Linearizability.findContradiction(history)).as(name).isEmpty();
            }
            System.out.printf(
                    "   %d histories of %d calls%n",
                    histories.size(), histories.stream().mapToInt(List::size).sum());
        }

        /** The files of histories, which have been checked. */
        private Map<String, String> emptyFilesOf(String name) throws IOException {
            return LogWriter.contents(federation.clientOfNameservice(target), historyDirectory(DIRECTORY, name));
        }

        private void assertMoveIsAt(MovePhase.MoveContext move, Map<String, String> expectedContents)
                throws IOException {
            assertThat(federation.versionCount()).as("versions").isEqualTo(move.version());
            assertThat(LogWriter.contents(federation.clientOfNameservice(move.target()), DIRECTORY))
                    .isEqualTo(expectedContents);
            assertThat(LogWriter.contents(alice, DIRECTORY)).isEqualTo(expectedContents);
            assertThat(federation.clientOfNameservice(move.source()).listStatus(DIRECTORY))
                    .isEmpty();
            assertThat(federation.frozenMark(move.source())).isEmpty();
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.benchmarks.Commands;
import io.trefoil.benchmarks.Commands.PositiveNumber;
import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.Shell;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Repeatedly injects random faults, one or two at a time, into three NameNodes with our failover under load. After
 * each turn everything must recover by itself and every acknowledged operation must be there; at the end all NameNodes
 * must hold the same namespace.
 *
 * <p>The seed decides what is struck and for how long, not what happens then. The exit code is 1 if something was lost
 * or did not recover; the logs of all processes are then kept.
 */
@Command(
        name = "soak",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description = "Random faults strike three NameNodes with automatic failover under load, again and again.")
public final class Soak implements Callable<Integer> {
    private static final int THREADS = 8;
    private static final int CHANGES = 300;
    private static final int MAX_FAULT_MILLIS = 5_000;
    private static final int SECOND_FAULT_BOUND = 3;
    private static final int NOT_THE_ACTIVE = 4;
    private static final int ROOTS_KEPT = 10;

    @Option(
            names = "--minutes",
            defaultValue = "10",
            converter = PositiveNumber.class,
            description = "After so many it ends.")
    private int minutes;

    @Option(names = "--seed", defaultValue = "1", description = "Decides what is struck and for how long.")
    private long seed;

    @Option(
            names = "--faults",
            split = ",",
            description =
                    "Of ${COMPLETION-CANDIDATES}; all by default, without root all but cut, mute, deaf and those of disks.")
    private List<Fault> faults = Arrays.stream(Fault.values())
            // Only faults that can strike any NameNode: usually the active is struck, sometimes another one.
            .filter(Fault::affectsGivenNameNodeOnly)
            .filter(fault -> Shell.isRoot() || !fault.needsRoot())
            .toList();

    private Random random;
    private final Deque<Turn> turns = new ArrayDeque<>();
    private long acknowledged;

    /** A finished load. */
    private record Turn(String root, ChangeLedger ledger) {}

    /** A fault that must be undone. */
    private record InjectedFault(Fault fault, NameNodeServer victim) {}

    private Soak() {}

    public static void main(String[] arguments) {
        Commands.run(new Soak(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        random = new Random(seed);
        long endNanos = System.nanoTime() + TimeUnit.MINUTES.toNanos(minutes);
        System.out.println("faults: " + faults);
        try (FailoverContender contender = FailoverContender.startForSoak(
                FailoverContender.Machines.forFaults(faults, false, OptionalInt.empty(), HostCpuPlan.shared()))) {
            FileSystem fileSystem = contender.cluster().newFileSystem();
            int number = 0;
            while (System.nanoTime() - endNanos < 0) {
                runTurn(contender, fileSystem, ++number);
            }
            for (Turn turn : turns) {
                Trial.check(fileSystem, turn.root(), turn.ledger());
            }
            expectAgreement(contender.cluster());
            contender.markSucceeded();
            System.out.printf(
                    "%d turns, %d operations acknowledged, none lost; all NameNodes hold the same%n",
                    number, acknowledged);
        }
        return 0;
    }

    private void runTurn(FailoverContender contender, FileSystem fileSystem, int number)
            throws IOException, InterruptedException {
        HaCluster cluster = contender.cluster();
        String root = "/soak/" + number;
        try (RunningLoad load = Workload.on(fileSystem)
                .under(root)
                .threads(THREADS)
                .seed(number)
                .start()) {
            load.awaitMore(CHANGES, Await.TIMEOUT);
            Deque<InjectedFault> activeFaults = new ArrayDeque<>();
            injectFault(contender, chooseVictim(cluster), activeFaults);
            holdFaults(activeFaults);
            if (random.nextInt(SECOND_FAULT_BOUND) == 0) {
                injectFault(contender, chooseVictim(cluster), activeFaults);
                holdFaults(activeFaults);
            }
            // In reverse order: the filler on a full disk that also hangs, for example, can be deleted only when the
            // disk continues.
            for (InjectedFault one = activeFaults.pollLast(); one != null; one = activeFaults.pollLast()) {
                one.fault().undo(contender, one.victim());
            }
            long begun = System.nanoTime();
            contender.awaitHealthy();
            load.awaitMore(CHANGES, Await.TIMEOUT);
            ChangeLedger ledger = load.stop(Await.TIMEOUT);
            Trial.check(fileSystem, root, ledger);
            acknowledged += ledger.acknowledgedCount();
            System.out.printf("turn %d: whole %.1f s later, %s%n", number, (System.nanoTime() - begun) / 1e9, ledger);
            turns.add(new Turn(root, ledger));
        }
        if (turns.size() > ROOTS_KEPT) {
            // A soak of hours should need no more memory than one of minutes.
            fileSystem.delete(new Path(turns.remove().root()), true);
        }
    }

    private void holdFaults(Deque<InjectedFault> activeFaults) throws InterruptedException {
        long longest = activeFaults.stream()
                .mapToLong(fault -> fault.fault().minDuration().toMillis())
                .reduce(MAX_FAULT_MILLIS, Math::max);
        TimeUnit.MILLISECONDS.sleep(random.nextLong(longest));
    }

    /** Chooses a NameNode: usually the active, if there is one. */
    private NameNodeServer chooseVictim(HaCluster cluster) {
        NameNodeServer any =
                cluster.nameNodes().get(random.nextInt(cluster.nameNodes().size()));
        return random.nextInt(NOT_THE_ACTIVE) == 0 ? any : cluster.active().orElse(any);
    }

    private void injectFault(FailoverContender contender, NameNodeServer victim, Deque<InjectedFault> activeFaults)
            throws InterruptedException {
        Fault fault = faults.get(random.nextInt(faults.size()));
        boolean twice = activeFaults.stream().anyMatch(before -> before.fault() == fault && before.victim() == victim);
        boolean onDamagedHost = activeFaults.stream()
                .filter(before -> before.victim() == victim)
                .anyMatch(before -> !fault.canFollowOnOneHost(before.fault()));
        boolean restartsOfDamaged = fault == Fault.RESTARTS && !activeFaults.isEmpty();
        boolean nowhereToDelete =
                fault == Fault.LOCK && activeFaults.stream().anyMatch(before -> before.fault() == Fault.ZOOKEEPER);
        if (twice || onDamagedHost || restartsOfDamaged || nowhereToDelete) {
            return;
        }
        System.out.println("  " + fault + " " + victim);
        try {
            fault.inject(contender, victim);
        } catch (IOException refused) {
            // For example, a handover to a NameNode that was struck before.
            System.out.println("  refused: " + refused.getMessage());
        } catch (IllegalStateException impossible) {
            // There is no lock to delete while no NameNode holds it, and no process to freeze if it ended by itself
            // when it was cut off.
            System.out.println("  impossible: " + impossible.getMessage());
        }
        activeFaults.add(new InjectedFault(fault, victim));
    }

    private static void expectAgreement(HaCluster cluster) {
        cluster.awaitStandbysCaughtUp(Duration.ofMinutes(1));
        NameNodeServer active = cluster.awaitActive();
        NamespaceDigest digest = NamespaceDigest.of(active);
        cluster.nameNodesExcept(active)
                .forEach(other -> NamespaceDigest.of(other).expectSameAs(digest));
    }
}

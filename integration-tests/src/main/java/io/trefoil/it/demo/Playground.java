/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/** The {@code --stay} mode: a cluster with a shell in which a user can use it, and inject faults at will. */
final class Playground {
    /** The rate of changes: low, because all changes are kept until the end, for hours. */
    private static final double CHANGES_PER_SECOND = 50;

    private static final int DATANODES = 2;
    private static final String SHELL = "shell";

    /**
     * The shell functions for words that the shell itself has: ours if an argument begins with a letter, as in {@code kill nn2}, but not in
     * {@code kill -9 4711}.
     */
    private static final String FUNCTIONS =
            """
            hang() { demo hang "$@"; }
            disk() { demo disk "$@"; }
            heal() { demo heal "$@"; }
            handover() { demo handover "$@"; }
            kill() { case ${1:-active} in [a-z]*) demo kill "$@" ;; *) builtin kill "$@" ;; esac; }
            cut() { case ${1:-active} in [a-z]*) demo cut "$@" ;; *) command cut "$@" ;; esac; }
            help() { if (($#)); then builtin help "$@"; else demo help; fi; }
            status() { hdfs trefoil status "$@"; }
            quit() { exit 2>/dev/null; }
            command_not_found_handle() { echo "there is no '$1': type help" >&2; return 127; }
            unset HISTFILE
            PS1='trefoil> '
            """;

    private static final String HELP =
            """
            hdfs dfs, hdfs haadmin, hdfs trefoil ...  the commands of this cluster; status is hdfs trefoil status
            kill, hang, cut, disk                     strikes the active; kill standby or kill nn2: that one
            heal                                      undoes hang, cut and disk; who was killed starts by itself
            handover                                  a standby becomes active; handover nn3: that one
            quit                                      looks for all that was acknowledged, and ends the cluster""";

    private final Screen screen;
    /** The faults that have not been undone yet. */
    private final Set<Stroke> strokes = new LinkedHashSet<>();

    private record Stroke(DemoFault fault, NameNodeServer targetNameNode) {}

    Playground(Screen screen) {
        this.screen = screen;
    }

    /** Runs until the shell ends; returns true if nothing was lost. */
    boolean play() throws IOException {
        screen.printTitle("A nameservice to play with");
        List<DemoFault> faults = DemoCluster.possibleFaults(screen);
        try (HaCluster cluster = DemoCluster.plan(faults)
                .dataNodes(DATANODES)
                .serverProperty(SHELL, DemoClients.PROVIDER, DemoClients.SMART_PROVIDER)
                .create()) {
            boolean isRight = play(cluster, faults);
            if (isRight) {
                cluster.markSucceeded();
            }
            screen.waitFor("the servers end");
            return isRight;
        }
    }

    /** Runs on a cluster until the shell ends; returns whether nothing was lost. */
    private boolean play(HaCluster cluster, List<DemoFault> faults) throws IOException {
        Path host = cluster.newClientHost(SHELL);
        try (DemoCluster demo = DemoCluster.begin(screen, cluster, faults, CHANGES_PER_SECOND);
                DemoCommands orders = DemoCommands.createIn(host)) {
            cluster.nameNodes()
                    .forEach(nameNode ->
                            screen.printDetail("%s  http://%s/trefoil", nameNode, nameNode.address("http")));
            screen.printDetail("HADOOP_CONF_DIR=%s", host);
            screen.printDetail("in another terminal: %s/bin/hdfs", host);
            showHelp();
            cluster.openShell(host, orders.function() + FUNCTIONS).exitFuture().thenRun(orders::end);
            orders.processOrders(words -> execute(words, demo));
            heal(cluster);
            screen.print("everything that was acknowledged is looked for");
            try (Screen.Wait waiting = screen.waitFor("everything that was acknowledged is looked for")) {
                boolean isRight = demo.clients().verify(screen);
                screen.print(isRight ? Demo.NOTHING_LOST : "NOT everything is right.");
                return isRight;
            }
        }
    }

    /** Executes a command of the shell; returns whether it succeeded. */
    private boolean execute(List<String> arguments, DemoCluster demo) {
        String word = arguments.isEmpty() ? "help" : arguments.get(0);
        String target = arguments.size() < 2 ? "" : arguments.get(1);
        try {
            switch (word) {
                case "help" -> showHelp();
                case "heal" -> heal(demo.cluster());
                case "handover" -> handOver(demo, target);
                default -> inject(demo, fault(word, demo.faults()), target);
            }
            return true;
        } catch (IOException | RuntimeException | AssertionError refused) {
            screen.printDetail(
                    "%s",
                    String.valueOf(refused.getMessage()).lines().findFirst().orElse(""));
            return false;
        }
    }

    private static DemoFault fault(String word, List<DemoFault> possible) {
        DemoFault fault = DemoFault.byKeyword(word)
                .orElseThrow(() -> new IllegalArgumentException("there is no '%s': type help".formatted(word)));
        if (!possible.contains(fault)) {
            throw new IllegalArgumentException("'%s' is left out on this machine, see above".formatted(word));
        }
        return fault;
    }

    private NameNodeServer target(HaCluster cluster, String target) {
        return switch (target) {
            case "", "active" -> await("a NameNode is active", cluster, NameNodeServer::isActive);
            case "standby" ->
                await("a NameNode is a standby", cluster, nameNode -> nameNode.isInState(HAServiceState.STANDBY));
            default -> findNameNode(cluster, target);
        };
    }

    /** Waits for a NameNode, as all others may just have been hit. */
    private NameNodeServer await(String description, HaCluster cluster, Predicate<NameNodeServer> condition) {
        try (Screen.Wait waiting = screen.waitFor("%s", description)) {
            return Await.untilFound(
                    description,
                    Await.TIMEOUT,
                    () -> cluster.nameNodes().stream().filter(condition).findFirst(),
                    () -> "");
        }
    }

    private static NameNodeServer findNameNode(HaCluster cluster, String name) {
        return cluster.nameNodes().stream()
                .filter(nameNode -> nameNode.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no '%s', but %s, active and standby"
                        .formatted(
                                name,
                                cluster.nameNodes().stream().map(Server::name).collect(Collectors.joining(", ")))));
    }

    private void inject(DemoCluster demo, DemoFault fault, String target) throws IOException {
        HaCluster cluster = demo.cluster();
        NameNodeServer targetNameNode = target(cluster, target);
        if (fault == DemoFault.KILL && strokes.contains(new Stroke(DemoFault.DISK, targetNameNode))) {
            throw new IllegalArgumentException(
                    "%s waits for its disk, and nothing kills it then: type heal before".formatted(targetNameNode));
        }
        boolean wasActive = targetNameNode.isActive();
        screen.print(
                "%s: %s, %s (%s)",
                fault.title(),
                targetNameNode,
                wasActive
                        ? "the active"
                        : targetNameNode.isInState(HAServiceState.STANDBY) ? "a standby" : "which does not answer",
                fault.description());
        demo.act(() -> {
            fault.inject(cluster, targetNameNode);
            if (fault == DemoFault.KILL) {
                strokes.remove(new Stroke(DemoFault.HANG, targetNameNode));
            } else {
                strokes.add(new Stroke(fault, targetNameNode));
            }
            if (wasActive) {
                // A NameNode that was killed may be the next; one that hangs may be called active by itself for a
                // while.
                Await.until(
                        "another is active",
                        DemoCluster.PLAYER_TIMEOUT,
                        () -> cluster.active()
                                .filter(nameNode -> nameNode != targetNameNode || fault == DemoFault.KILL)
                                .isPresent(),
                        () -> "");
            }
        });
    }

    private void handOver(DemoCluster demo, String target) throws IOException {
        HaCluster cluster = demo.cluster();
        NameNodeServer next = target.isEmpty() || target.equals("standby")
                ? await("a standby may take over", cluster, nameNode -> !nameNode.isActive() && nameNode.mayTakeOver())
                : target(cluster, target);
        screen.print("%s: to %s (%s)", DemoFault.HANDOVER.title(), next, DemoFault.HANDOVER.description());
        demo.act(next::takeOver);
    }

    private void heal(HaCluster cluster) {
        for (Stroke stroke : strokes) {
            stroke.fault().undo(cluster, stroke.targetNameNode());
            screen.printDetail(
                    "%s: %s no more", stroke.targetNameNode(), stroke.fault().title());
        }
        strokes.clear();
    }

    private void showHelp() {
        HELP.lines().forEach(line -> screen.printDetail("%s", line));
    }
}

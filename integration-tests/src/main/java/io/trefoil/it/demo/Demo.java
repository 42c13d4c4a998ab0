/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import java.io.IOException;
import java.util.List;

/**
 * Shows clusters of stock HDFS processes under load that lose actives, disks, and everything written since a checkpoint.
 *
 * <p>The exit code is 0 only if everything that a client was told is true afterwards, and 2 for an unknown argument.
 * The only argument is {@code --stay}.
 */
public final class Demo {
    private static final String STAY = "--stay";
    static final String NOTHING_LOST = "Nothing that was acknowledged was lost, and nothing was done twice.";

    private static final String NOTE =
            """
            Beside stock QJM and ZKFC, in turns on one quiet machine: docs/benchmarks/failover.md.
            """;

    private final Screen screen;

    private Demo(Screen screen) {
        this.screen = screen;
    }

    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        if (!words.isEmpty() && !words.equals(List.of(STAY))) {
            System.err.println("bin/demo takes " + STAY + " and --hadoop 3.4 or 3.5, not " + words);
            System.exit(2);
        }
        try (Screen screen = Screen.ofProcess()) {
            // From then on, everything that fails does so because its servers are being killed.
            Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "screen-close"));
            boolean isRight = new Demo(screen).runDemo(words.contains(STAY));
            screen.close();
            System.exit(isRight ? 0 : 1);
        }
    }

    /** Runs the demo; returns whether everything was right. */
    private boolean runDemo(boolean keepsRunning) {
        try {
            screen.print(
                    "Hadoop %s, unpatched; each server is a process of its own, set up as an operator would",
                    System.getProperty("trefoil.hadoop.version"));
            return keepsRunning ? new Playground(screen).play() : play();
        } catch (Exception | AssertionError e) {
            if (!screen.isClosed()) {
                screen.close();
                e.printStackTrace();
            }
            return false;
        }
    }

    /** Plays all acts; returns whether everything was right. */
    private boolean play() throws IOException {
        FailoverAct failovers = new FailoverAct(screen);
        boolean isRight = failovers.play() && new RestoreAct(screen).play();
        screen.printTitle("How long a client had no answer");
        screen.printText(table(failovers.outcomes()));
        screen.print(isRight ? NOTHING_LOST : "NOT everything is right.");
        return isRight;
    }

    private static String table(List<DemoCluster.Outcome> outcomes) {
        StringBuilder table =
                new StringBuilder("%10s%-24s%12s%14s%n".formatted("", "the active", "our client", "stock client"));
        for (DemoCluster.Outcome outcome : outcomes) {
            table.append("%10s%-24s%10.2f s%12.2f s%n"
                    .formatted(
                            "",
                            outcome.fault().title(),
                            DemoCluster.seconds(outcome.gaps().smart()),
                            DemoCluster.seconds(outcome.gaps().stock())));
        }
        String busy = DemoCluster.busyNotice().map(words -> words + "\n").orElse("");
        return table.append((busy + NOTE).indent(10).stripTrailing()).toString();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The {@code --stay} mode: the cluster of the first act, to look at and to strike. */
final class Playground {
    /** A low rate, because all changes are kept until the end, for hours. */
    private static final double CHANGES_PER_SECOND = 50;

    private final Screen screen;

    Playground(Screen screen) {
        this.screen = screen;
    }

    /** Runs until the input ends; true if nothing was lost. */
    boolean play(BufferedReader words) throws IOException {
        screen.title("A nameservice to look at");
        List<DemoFault> faults = Show.possibleFaults(screen);
        try (HaCluster cluster = Show.plan(faults).create()) {
            boolean isRight = play(cluster, faults, words);
            if (isRight) {
                cluster.succeeded();
            }
            screen.waitFor("the servers end");
            return isRight;
        }
    }

    private boolean play(HaCluster cluster, List<DemoFault> faults, BufferedReader words) throws IOException {
        try (Show show = Show.begin(screen, cluster, faults, CHANGES_PER_SECOND)) {
            cluster.nameNodes()
                    .forEach(nameNode -> screen.detail("%s  http://%s/trefoil", nameNode, nameNode.address("http")));
            help(faults);
            for (String line = words.readLine(); line != null; line = words.readLine()) {
                String word = line.trim();
                if (word.equals("quit")) {
                    break;
                }
                if (!word.isEmpty()) {
                    obey(word, show);
                }
            }
            screen.say("everything that was acknowledged is looked for");
            boolean isRight = show.clients().verify(screen);
            screen.say(isRight ? Demo.NOTHING_LOST : "NOT everything is right.");
            return isRight;
        }
    }

    private void obey(String word, Show show) throws IOException {
        Optional<DemoFault> fault = DemoFault.named(word).filter(show.faults()::contains);
        if (fault.isPresent()) {
            show.strike(fault.orElseThrow());
        } else if (word.equals("status")) {
            status(show.cluster());
        } else {
            screen.detail("there is no '%s'", word);
            help(show.faults());
        }
    }

    private void status(HaCluster cluster) {
        try (Screen.Wait waiting = screen.waitFor("hdfs trefoil status")) {
            NameNodeServer active = cluster.awaitActive();
            screen.say("%s is active; hdfs trefoil status:", active);
            screen.block(cluster.trefoil("status").output().stripTrailing());
        }
    }

    private void help(List<DemoFault> faults) {
        String words = faults.stream().map(DemoFault::word).collect(Collectors.joining(", "));
        screen.detail("type %s, status, or quit", words);
    }
}

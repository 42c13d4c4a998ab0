/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.RunningJob;
import io.trefoil.it.load.WordFiles;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;

/** The first act: all possible faults are injected into the active, and a standby loses its disks, while a job runs. */
final class FailoverAct {
    private static final double CHANGES_PER_SECOND = 200;
    private static final int MAPS = 3;
    private static final int LINES_OF_A_MAP = 1_000;

    private final Screen screen;
    private final List<DemoCluster.Outcome> outcomes = new ArrayList<>();

    FailoverAct(Screen screen) {
        this.screen = screen;
    }

    /** Returns the effect of each fault on the clients. */
    List<DemoCluster.Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** Plays the act; returns true if nothing was lost, and everything else is correct. */
    boolean play() throws IOException {
        screen.printTitle("1. One nameservice, and everything happens to its active NameNode");
        List<DemoFault> faults = DemoCluster.possibleFaults(screen);
        try (HaCluster cluster = DemoCluster.plan(faults)
                .dataNodes(2)
                .withYarn()
                .serverProperty("nm", DemoClients.PROVIDER, DemoClients.SMART_PROVIDER)
                .serverProperty("wordcount", DemoClients.PROVIDER, DemoClients.SMART_PROVIDER)
                .create()) {
            boolean isRight = play(cluster, faults);
            if (isRight) {
                cluster.markSucceeded();
            }
            screen.waitFor("the servers end");
            return isRight;
        }
    }

    /** Plays the act on a cluster; returns whether nothing was lost, and everything else is correct. */
    private boolean play(HaCluster cluster, List<DemoFault> faults) throws IOException {
        try (DemoCluster demo = DemoCluster.begin(screen, cluster, faults, CHANGES_PER_SECOND)) {
            for (DemoFault fault : faults) {
                outcomes.add(demo.inject(fault));
            }
            loseDisks(demo);
            boolean isCountedRight = countWords(demo);
            screen.print("everything that was acknowledged is looked for");
            try (Screen.Wait waiting = screen.waitFor("everything that was acknowledged is looked for")) {
                return demo.clients().verify(screen) && allNameNodesAgree(cluster) && isCountedRight;
            }
        }
    }

    /** Gives a standby an empty journal and an empty directory of images, both of which it recovers from the others. */
    private void loseDisks(DemoCluster demo) throws IOException {
        HaCluster cluster = demo.cluster();
        List<NameNodeServer> standbys = cluster.nameNodesExcept(cluster.awaitActive());
        NameNodeServer emptied = standbys.get(0);
        // As a standby does each hour by itself.
        standbys.get(1).saveNamespace();
        long begunNanos = System.nanoTime();
        emptied.kill9ForGood();
        FileUtil.fullyDeleteContents(emptied.imageDirectory().getParent().toFile());
        FileUtil.fullyDeleteContents(emptied.journalDirectory().toFile());
        screen.print("disks lost: %s, a standby, is killed and starts with no journal and no image", emptied);
        try (Screen.Wait waiting = screen.waitFor("%s fetches image and edits", emptied)) {
            emptied.renew(Await.TIMEOUT).expectSuccess();
            emptied.start();
            demo.awaitWhole();
            screen.printDetail(
                    "it is a standby again after %.0f s, and holds a replica of the journal; no client waited more than %.2f s",
                    waiting.seconds(), longestGap(demo.clients().gaps(begunNanos, System.nanoTime())));
        }
    }

    private static double longestGap(DemoClients.Gaps gaps) {
        return Math.max(DemoCluster.seconds(gaps.smart()), DemoCluster.seconds(gaps.stock()));
    }

    /** Runs wordcount while its active NameNode is killed; returns whether all counts are right. */
    private boolean countWords(DemoCluster demo) throws IOException {
        HaCluster cluster = demo.cluster();
        FileSystem fileSystem = demo.clients().fileSystem();
        Path input = new Path("/job/words");
        Path output = new Path("/job/counts");
        Map<String, Integer> expected = WordFiles.write(fileSystem, input, MAPS, LINES_OF_A_MAP);
        screen.print("MapReduce: stock wordcount on YARN, %d maps, its client and tasks with our proxy provider", MAPS);
        RunningJob job = cluster.startJob(
                "wordcount", "org.apache.hadoop.examples.WordCount", input.toString(), output.toString());
        try (Screen.Wait waiting = screen.waitFor("wordcount maps")) {
            job.awaitProgress();
            NameNodeServer killed = cluster.awaitActive();
            boolean maps = job.progress().isInMapPhase();
            killed.kill9();
            screen.printDetail("%s, the active, is killed %s", killed, maps ? "while it maps" : "when it has mapped");
        }
        try (Screen.Wait waiting = screen.waitFor("wordcount ends")) {
            job.awaitSuccess(Await.TIMEOUT);
            demo.awaitWhole();
        }
        boolean isRight = WordFiles.readCounts(fileSystem, output).equals(expected);
        screen.printDetail("the job succeeded, and every word's count is %s", isRight ? "right" : "WRONG");
        return isRight;
    }

    private boolean allNameNodesAgree(HaCluster cluster) {
        cluster.awaitStandbysCaughtUp(Await.TIMEOUT);
        List<String> digests = cluster.nameNodes().stream()
                .map(nameNode -> NamespaceDigest.of(nameNode).sha256())
                .distinct()
                .toList();
        screen.printDetail(
                digests.size() == 1
                        ? "all NameNodes hold the same namespace, sha256 %.12s"
                        : "the namespaces of the NameNodes DIFFER: %2$s",
                digests.get(0),
                digests);
        return digests.size() == 1;
    }
}

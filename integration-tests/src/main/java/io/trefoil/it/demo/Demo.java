/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.JournalKind;
import io.trefoil.it.cluster.NameNodeServer;
import io.trefoil.it.cluster.NamespaceDigest;
import io.trefoil.it.cluster.RunningJob;
import io.trefoil.it.load.ChangeAnswer;
import io.trefoil.it.load.ChangeLedger;
import io.trefoil.it.load.Findings;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Verifier;
import io.trefoil.it.load.WordFiles;
import io.trefoil.it.load.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;

/**
 * A cluster of stock HDFS processes, set up as an operator would, that loses its active NameNode in the middle of work.
 *
 * <p>Exit code 0 only if everything that a client was told is true afterwards. Arguments: {@code --journal ssp} or
 * {@code --journal qjm}.
 */
public final class Demo {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long CHANGES_PER_PART = 3_000;
    private static final int MAPS = 3;
    private static final int LINES_OF_A_MAP = 1_000;
    private static final String PROVIDER = "dfs.client.failover.proxy.provider.trefoil";
    private static final String SMART_PROVIDER = "io.trefoil.client.hdfs.SmartFailoverProxyProvider";
    /** What a client does not notice needs no line. */
    private static final Duration WORTH_A_LINE = Duration.ofMillis(500);

    private final Timeline timeline = new Timeline(System.out);
    private final HaCluster cluster;

    private Demo(HaCluster cluster) {
        this.cluster = cluster;
    }

    public static void main(String[] arguments) {
        System.exit(run(JournalKind.named(journalOf(List.of(arguments)))) ? 0 : 1);
    }

    private static String journalOf(List<String> arguments) {
        if (arguments.isEmpty()) {
            return "ssp";
        }
        if (arguments.size() == 2 && arguments.get(0).equals("--journal")) {
            return arguments.get(1);
        }
        throw new IllegalArgumentException("there is only --journal ssp or --journal qjm, not " + arguments);
    }

    private static boolean run(JournalKind journal) {
        try (HaCluster cluster = HaCluster.builder("demo")
                .nameNodes(3)
                .dataNodes(2)
                .withYarn()
                .serverProperty("nm", PROVIDER, SMART_PROVIDER)
                .serverProperty("wordcount", PROVIDER, SMART_PROVIDER)
                .journal(journal)
                .create()) {
            boolean nothingLost = new Demo(cluster).play(journal);
            if (nothingLost) {
                cluster.succeeded();
            }
            return nothingLost;
        } catch (Exception | AssertionError e) {
            e.printStackTrace();
            return false;
        }
    }

    private boolean play(JournalKind journal) throws Exception {
        timeline.say(
                "Hadoop %s, edits through %s; each server is a stock process of its own",
                System.getProperty("trefoil.hadoop.version"), journal.name());
        setUp();
        FileSystem fileSystem = cluster.newFileSystem();
        try (RunningLoad load = Workload.on(fileSystem)
                .threads(8)
                .fileWriters(2)
                .fileMegabytes(4)
                .start()) {
            timeline.say("stock client: 8 threads change directories, one writes files of 4 MB");
            load.awaitMore(CHANGES_PER_PART, LIMIT);
            timeline.say("%,d changes acknowledged so far", load.ledger().acknowledgedCount());
            failOver();
            load.awaitMore(CHANGES_PER_PART, LIMIT);
            ChangeLedger ledger = load.stop(LIMIT);
            sayWhatClientsSaw(ledger);
            return nothingIsLost(fileSystem, load.root(), ledger) && jobCountsRight(fileSystem) && everybodyAgrees();
        }
    }

    private void setUp() {
        NameNodeServer first = cluster.nameNode(1);
        if (!cluster.journalServers().isEmpty()) {
            cluster.startJournal();
            timeline.say("journal servers %s are up", cluster.journalServers());
        }
        first.format("demo");
        timeline.say("host 1: hdfs namenode -format");
        first.start();
        cluster.yarnServers().forEach(server -> server.start());
        cluster.dataNodes().forEach(dataNode -> dataNode.start());
        first.awaitUp();
        timeline.say("host 1: NameNode nn1 is up, DataNodes %s are starting", cluster.dataNodes());
        for (NameNodeServer other : cluster.nameNodesBut(first)) {
            other.bootstrapStandby();
            other.start();
            timeline.say("host of %s: hdfs namenode -bootstrapStandby, then the NameNode", other);
        }
        cluster.startNameNodes();
        cluster.haadmin("-transitionToActive", "nn1").expectSuccess();
        timeline.say(
                "hdfs haadmin -transitionToActive nn1: %s is active",
                cluster.active().orElseThrow());
        cluster.awaitDataNodes();
    }

    private void failOver() {
        NameNodeServer killed = cluster.active().orElseThrow();
        NameNodeServer next = cluster.nameNodesBut(killed).get(0);
        killed.kill9();
        timeline.say("kill -9 of the active, %s; its supervisor will start it again", killed);
        // Without --forceactive the command wants to ask the dead one first.
        cluster.haadmin("-transitionToActive", "--forceactive", next.name()).expectSuccess();
        timeline.say("hdfs haadmin -transitionToActive --forceactive %s: it is active", next);
        killed.awaitState(HAServiceState.STANDBY);
        timeline.say("%s is back as a standby", killed);
    }

    private void sayWhatClientsSaw(ChangeLedger ledger) {
        for (ChangeLedger.Gap gap : ledger.gaps(WORTH_A_LINE)) {
            timeline.say(
                    "clients waited %.1f s, from %.1f s on",
                    gap.length().toMillis() / 1e3, timeline.secondsAt(gap.beganNanos()));
        }
        timeline.say("load ended: %s", ledger);
    }

    private boolean nothingIsLost(FileSystem fileSystem, String root, ChangeLedger ledger) throws Exception {
        Findings findings = new Verifier(fileSystem).verify(root, ledger);
        timeline.say("every acknowledged change looked for, every checksum compared: %s", findings);
        findings.wrong().forEach(System.out::println);
        ledger.failures().forEach(System.out::println);
        return findings.isClean() && ledger.count(ChangeAnswer.CONTRADICTED) == 0;
    }

    private boolean jobCountsRight(FileSystem fileSystem) throws Exception {
        Path input = new Path("/job/words");
        Path output = new Path("/job/counts");
        Map<String, Integer> expected = WordFiles.write(fileSystem, input, MAPS, LINES_OF_A_MAP);
        cluster.awaitYarn();
        RunningJob job = cluster.startJob(
                "wordcount", "org.apache.hadoop.examples.WordCount", input.toString(), output.toString());
        timeline.say("stock wordcount on YARN, %d maps, client and tasks with the smart client", MAPS);
        job.awaitMapPhase();
        failOver();
        job.awaitSuccess(LIMIT);
        boolean isRight = WordFiles.readCounts(fileSystem, output).equals(expected);
        timeline.say(
                "the job succeeded without a failed task, and every word's count is %s", isRight ? "right" : "WRONG");
        return isRight;
    }

    private boolean everybodyAgrees() {
        cluster.awaitStandbysCaughtUp(LIMIT);
        List<String> digests = cluster.nameNodes().stream()
                .map(nameNode -> NamespaceDigest.of(nameNode).sha256())
                .distinct()
                .toList();
        timeline.say(
                digests.size() == 1 ? "all NameNodes hold the same namespace: %s" : "the namespaces differ: %s",
                digests);
        return digests.size() == 1;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.ChangeLedger;
import io.trefoil.it.load.ledger.Verifier;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;

/** What the drills of a lost site have in common, up to the promotion. */
final class LostSites {
    /** Changes of a load. */
    static final int SOME = 60;
    /** What a NameNode from before the promotion says when it ends. */
    static final String VOID = "and some of its transactions may have been lost when";

    private LostSites() {}

    /** What clients were told before the loss. */
    record AcknowledgedChanges(String root, ChangeLedger changes) {
        void assertPresent(FileSystem fileSystem) throws IOException {
            new Verifier(fileSystem).verify(root, changes).expectClean();
        }
    }

    /** A voter receives only, from now on. */
    static void demoteToLearner(HaCluster cluster, String node) {
        cluster.trefoil("journal", "remove", node).expectSuccess();
        cluster.trefoil("journal", "add", "--learner", node).expectSuccess();
    }

    static RunningLoad load(FileSystem fileSystem, String directory) {
        return Workload.on(fileSystem)
                .under(directory)
                .threads(4)
                .fileWriters(1)
                .fileMegabytes(1)
                .start();
    }

    /** Has clients change something before and after a thing happens, and remembers what they were told. */
    static AcknowledgedChanges makeChanges(FileSystem fileSystem, Runnable concurrentWork) {
        RunningLoad load = load(fileSystem, "/before");
        load.awaitMore(SOME, Await.TIMEOUT);
        concurrentWork.run();
        load.awaitMore(SOME, Await.TIMEOUT);
        return new AcknowledgedChanges(load.root(), load.stop(Await.TIMEOUT));
    }

    /** Waits until the logs of all nodes end at the same entry, the learners' as well. */
    static void awaitLearnersCaughtUp(HaCluster cluster, int nodes) {
        String[] seen = new String[1];
        Await.until(
                "all " + nodes + " nodes have what was written",
                Await.TIMEOUT,
                () -> {
                    seen[0] = cluster.trefoil("journal", "status").output();
                    List<String> rows = seen[0].lines()
                            .filter(line -> line.contains(" serves "))
                            .toList();
                    return rows.size() == nodes
                            && rows.stream()
                                            .map(row -> row.split(" +")[5])
                                            .distinct()
                                            .count()
                                    == 1;
                },
                () -> seen[0]);
    }

    /** The last transaction that is left, as {@code promote} shows it to who only looks. */
    static long lastTxId(ToolResult output) {
        Matcher lastTxId = Pattern.compile("--last-tx (\\d+) --execute")
                .matcher(output.expectSuccess().output());
        assertThat(lastTxId.find()).as(output.output()).isTrue();
        return Long.parseLong(lastTxId.group(1));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.upstream;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.load.RunningLoad;
import io.trefoil.it.load.Workload;
import io.trefoil.it.load.ledger.Verifier;
import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;

/** Load that these tests put on a cluster, and what became of it. */
final class Writes {
    /** Generous: a slow machine with many tests at once must not fail a test. */
    static final Duration LIMIT = Duration.ofMinutes(3);

    private final FileSystem fileSystem;
    private final RunningLoad load;

    private Writes(FileSystem fileSystem, RunningLoad load) {
        this.fileSystem = fileSystem;
        this.load = load;
    }

    /** Changes made and verified before this returns, all of them below a new directory. */
    static void some(HaCluster cluster, String directory) throws IOException {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            new Writes(fileSystem, load).goOn(200).expectNothingMissing();
        }
    }

    /** Changes that go on while an action runs, and at its end; all acknowledged ones are there then. */
    static void during(HaCluster cluster, String directory, Action action) throws Exception {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            Writes writes = new Writes(fileSystem, load).goOn(100);
            action.under(writes);
            writes.goOn(100).expectNothingMissing();
        }
    }

    /** Waits until so many more changes were acknowledged. */
    Writes goOn(int count) {
        load.awaitMore(count, LIMIT);
        return this;
    }

    private void expectNothingMissing() throws IOException {
        new Verifier(fileSystem).verify(load.root(), load.stop(LIMIT)).expectClean();
    }

    /** What is done under load. */
    interface Action {
        void under(Writes writes) throws Exception;
    }
}

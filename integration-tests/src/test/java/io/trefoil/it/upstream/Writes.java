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

/** The load that these tests put on a cluster, and its results. */
final class Writes {
    /** Generous: a slow machine that runs many tests at once must not make a test fail. */
    static final Duration LIMIT = Duration.ofMinutes(3);

    private final FileSystem fileSystem;
    private final RunningLoad load;

    private Writes(FileSystem fileSystem, RunningLoad load) {
        this.fileSystem = fileSystem;
        this.load = load;
    }

    /** Makes and verifies changes, all of them below a new directory. */
    static void some(HaCluster cluster, String directory) throws IOException {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            new Writes(fileSystem, load).goOn(200).expectNothingMissing();
        }
    }

    /** Makes changes while an action runs; all acknowledged ones must be there at the end. */
    static void during(HaCluster cluster, String directory, Action action) throws Exception {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            Writes writes = new Writes(fileSystem, load).goOn(100);
            action.under(writes);
            writes.goOn(100).expectNothingMissing();
        }
    }

    /** Waits until this many more changes are acknowledged. */
    Writes goOn(int count) {
        load.awaitMore(count, LIMIT);
        return this;
    }

    private void expectNothingMissing() throws IOException {
        new Verifier(fileSystem).verify(load.root(), load.stop(LIMIT)).expectClean();
    }

    /** An action that runs under load. */
    interface Action {
        void under(Writes writes) throws Exception;
    }
}

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
final class WriteLoad {
    /** Generous: a slow machine that runs many tests at once must not make a test fail. */
    static final Duration LIMIT = Duration.ofMinutes(3);

    private final FileSystem fileSystem;
    private final RunningLoad load;

    private WriteLoad(FileSystem fileSystem, RunningLoad load) {
        this.fileSystem = fileSystem;
        this.load = load;
    }

    /** Makes and verifies changes, all of them below a new directory. */
    static void makeSome(HaCluster cluster, String directory) throws IOException {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            new WriteLoad(fileSystem, load).awaitMore(200).assertNothingMissing();
        }
    }

    /** Makes changes while an action runs; all acknowledged ones must be there at the end. */
    static void runDuring(HaCluster cluster, String directory, Action action) throws Exception {
        try (FileSystem fileSystem = cluster.newFileSystem();
                RunningLoad load =
                        Workload.on(fileSystem).under(directory).threads(8).start()) {
            WriteLoad writes = new WriteLoad(fileSystem, load).awaitMore(100);
            action.run(writes);
            writes.awaitMore(100).assertNothingMissing();
        }
    }

    /** Waits until this many more changes are acknowledged. */
    WriteLoad awaitMore(int count) {
        load.awaitMore(count, LIMIT);
        return this;
    }

    private void assertNothingMissing() throws IOException {
        new Verifier(fileSystem).verify(load.root(), load.stop(LIMIT)).expectClean();
    }

    /** An action that runs under load. */
    interface Action {
        void run(WriteLoad writes) throws Exception;
    }
}

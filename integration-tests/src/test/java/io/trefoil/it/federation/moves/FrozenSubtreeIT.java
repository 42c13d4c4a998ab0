/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.SubtreeCaller;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** A subtree stays frozen when the active is killed; what its clients asked for meanwhile is executed once, afterwards. */
class FrozenSubtreeIT {
    private static final int CALLS = 20;
    /** The longest that a NameNode allows. */
    private static final long LONG_MILLIS = 60_000;

    private static final long SHORT_MILLIS = 3_000;
    private static final Path FROZEN = new Path("/frozen");

    @Test
    void freezeSurvivesFailoverUntilDeadline() throws Exception {
        HaCluster.builder("frozen")
                .withAutomaticFailover()
                .property("trefoil.federation.gate", "true")
                .run(FrozenSubtreeIT::killActiveOfFrozenSubtree);
    }

    private static void killActiveOfFrozenSubtree(HaCluster cluster) throws Exception {
        DistributedFileSystem fileSystem = cluster.newFileSystem();
        for (int i = 0; i < CALLS; i++) {
            fileSystem.mkdirs(new Path(FROZEN, "old-" + i));
        }
        ExecutorService clients = Executors.newCachedThreadPool();
        try {
            freeze(fileSystem, "m1", LONG_MILLIS);
            List<Future<Boolean>> held = new ArrayList<>();
            for (int i = 0; i < CALLS; i++) {
                Path gone = new Path(FROZEN, "old-" + i);
                held.add(clients.submit(() -> fileSystem.delete(gone, true)));
            }
            NameNodeServer killed = cluster.awaitActive();
            assertThat(fileSystem.mkdirs(new Path("/other"))).isTrue();
            killed.kill9();
            cluster.awaitActive();
            assertThat(fileSystem.mkdirs(new Path("/other/more"))).isTrue();
            assertThat(fileSystem.getXAttrs(new Path(FrozenMark.DIRECTORY))).containsKey(FrozenMark.PREFIX + "m1");
            assertThat(fileSystem.listStatus(FROZEN)).hasSize(CALLS);
            assertThat(held).noneMatch(Future::isDone);
            assertThat(callAsMover("m1", () -> fileSystem.mkdirs(new Path(FROZEN, "movers"))))
                    .isTrue();
            fileSystem.removeXAttr(new Path(FrozenMark.DIRECTORY), FrozenMark.PREFIX + "m1");
            for (Future<Boolean> one : held) {
                // A call that was executed twice says false.
                assertThat(one.get(Await.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
            assertThat(fileSystem.listStatus(FROZEN)).hasSize(1);

            freeze(fileSystem, "m2", SHORT_MILLIS);
            assertThat(fileSystem.mkdirs(new Path(FROZEN, "later"))).isTrue();
            assertThatThrownBy(() -> callAsMover("m2", () -> fileSystem.delete(FROZEN, true)))
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("Nothing is frozen for move m2");
        } finally {
            clients.shutdownNow();
        }
    }

    private static void freeze(DistributedFileSystem fileSystem, String move, long millis) throws IOException {
        FrozenMark mark = FrozenMark.of(move, FROZEN.toString(), System.currentTimeMillis() + millis);
        fileSystem.setXAttr(new Path(FrozenMark.DIRECTORY), mark.name(), mark.value());
    }

    private static boolean callAsMover(String move, Callable<Boolean> call) throws Exception {
        CallerContext.setCurrent(new CallerContext.Builder(SubtreeCaller.contextOfMove(move)).build());
        try {
            return call.call();
        } finally {
            CallerContext.setCurrent(null);
        }
    }
}

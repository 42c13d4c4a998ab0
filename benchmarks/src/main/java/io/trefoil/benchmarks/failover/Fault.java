/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.failover;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.NameNodeServer;
import java.io.IOException;

/** What happens to the active, and how it is undone. */
enum Fault {
    /** The NameNode's process is killed with -9. */
    KILLED("killed") {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            active.kill9ForGood();
        }
    },
    /** The same for everything that a real cluster has on the active's host. */
    HOST("host") {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            cluster.killHostOf(active);
        }
    },
    /** SIGSTOP. */
    FROZEN("frozen") {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            active.pause();
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer active) {
            active.resume();
        }
    },
    /** {@code haadmin -failover}, without the start of the command's JVM. */
    GRACEFUL("graceful") {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) throws IOException {
            cluster.nameNodesBut(active).get(0).takeOver();
        }
    },
    /** The lock node in ZooKeeper is deleted; with the stock ZKFC the same NameNode may win again. */
    LOCK("lock") {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            cluster.deleteLock();
        }
    },
    /** The cable of the active's host is pulled; needs root. */
    CUT("cut") {
        @Override
        void strike(HaCluster cluster, NameNodeServer active) {
            cluster.isolate(active);
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer active) {
            cluster.rejoin(active);
        }
    };

    private final String word;

    Fault(String word) {
        this.word = word;
    }

    /** @throws IllegalArgumentException if there is none of that name */
    static Fault named(String word) {
        for (Fault fault : values()) {
            if (fault.word.equals(word)) {
                return fault;
            }
        }
        throw new IllegalArgumentException("no fault named " + word);
    }

    String word() {
        return word;
    }

    /** Returns when it has happened. */
    abstract void strike(HaCluster cluster, NameNodeServer active) throws IOException;

    /** Takes back what does not go away by a start of the processes that ended. */
    void undo(HaCluster cluster, NameNodeServer active) {
        // Processes are started again by whoever struck.
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.demo;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** A fault of the active, and how to undo it. */
enum DemoFault {
    KILL("process killed", "kill -9") {
        @Override
        void inject(HaCluster cluster, NameNodeServer active) {
            active.kill9();
        }
    },
    HANG("process hangs", "SIGSTOP") {
        @Override
        void inject(HaCluster cluster, NameNodeServer active) {
            active.pause();
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer targetNameNode) {
            targetNameNode.resume();
        }
    },
    CUT("network cut", "its cable is pulled") {
        @Override
        void inject(HaCluster cluster, NameNodeServer active) {
            cluster.faults().isolate(active);
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer targetNameNode) {
            cluster.faults().reconnect(targetNameNode);
        }
    },
    HANDOVER("handed over", "haadmin -failover") {
        @Override
        void inject(HaCluster cluster, NameNodeServer active) throws IOException {
            cluster.nameNodesExcept(active).get(0).takeOver();
        }
    },
    DISK("journal's disk hangs", "no write returns, and none fails") {
        @Override
        void inject(HaCluster cluster, NameNodeServer active) {
            cluster.faults().hangDisk(active);
        }

        @Override
        void undo(HaCluster cluster, NameNodeServer targetNameNode) {
            cluster.faults().releaseDisk(targetNameNode);
        }
    };

    private final String title;
    private final String description;

    DemoFault(String title, String description) {
        this.title = title;
        this.description = description;
    }

    static Optional<DemoFault> byKeyword(String word) {
        for (DemoFault fault : values()) {
            if (fault.keyword().equals(word)) {
                return Optional.of(fault);
            }
        }
        return Optional.empty();
    }

    /** The word that users type. */
    String keyword() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what happened, for tables. */
    String title() {
        return title;
    }

    /** Returns how the fault is injected. */
    String description() {
        return description;
    }

    /** Injects the fault; returns when it has happened. */
    abstract void inject(HaCluster cluster, NameNodeServer active) throws IOException;

    /** Undoes effects that do not go away on their own. */
    void undo(HaCluster cluster, NameNodeServer targetNameNode) {
        // The supervisor restarts processes that ended.
    }
}

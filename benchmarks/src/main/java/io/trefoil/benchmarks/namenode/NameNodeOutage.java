/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.namenode;

import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.FileUtil;

/** The ways in which a NameNode goes down and comes back. */
enum NameNodeOutage {
    /** It is stopped by SIGSTOP, and resumes where it was. */
    STOPPED {
        @Override
        void begin(NameNodeServer nameNode) {
            nameNode.pause();
        }

        @Override
        void end(NameNodeServer nameNode) {
            nameNode.resume();
        }
    },
    /** Its process has exited: it is restarted, and loads its image. */
    KILLED {
        @Override
        void begin(NameNodeServer nameNode) {
            nameNode.kill9ForGood();
        }

        @Override
        void end(NameNodeServer nameNode) {
            nameNode.start();
        }
    },
    /** It has no image either: HDFS's own command fetches one from the active, and then it is restarted. */
    BOOTSTRAPPED {
        @Override
        void begin(NameNodeServer nameNode) throws IOException {
            nameNode.kill9ForGood();
            FileUtil.fullyDeleteContents(nameNode.imageDirectory().getParent().toFile());
        }

        @Override
        void end(NameNodeServer nameNode) {
            nameNode.bootstrapStandby();
            nameNode.start();
        }
    };

    /** The name on command lines and in tables. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract void begin(NameNodeServer nameNode) throws IOException;

    /** Returns once everything needed has been initiated; the NameNode need not be a standby yet. */
    abstract void end(NameNodeServer nameNode);
}

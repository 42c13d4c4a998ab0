/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * Is told of each edit that a standby or an observer applies, just before, and of the segments that it begins to write.
 *
 * <p>It is called on the thread that applies edits or changes the role, under the namesystem's write lock, and delays both. It must
 * not throw: HDFS would take that for a broken journal.
 */
public interface EditsObserver {
    /** Watches nothing. */
    EditsObserver NOBODY = new EditsObserver() {
        @Override
        public void next(FSEditLogOp edit) {}

        @Override
        public void applyFinished() {}

        @Override
        public void segmentStarts() {}
    };

    /**
     * HDFS is given this edit, and has applied the ones before. An edit that HDFS has long applied, and skips, is told of
     * as well.
     *
     * @param edit HDFS reuses the object for later edits
     */
    void next(FSEditLogOp edit);

    /**
     * HDFS gives up a stream after this edit, which it may not have applied, without having asked for a further one; called just
     * before {@link #applyFinished}.
     */
    default void abandonedAfter(FSEditLogOp edit) {}

    /** HDFS has applied all edits of which {@link #next} told, as far as it could, and gets no more from the same stream. */
    void applyFinished();

    /** Called when this NameNode, as the writer, begins a segment: when it becomes active, and whenever the log is rolled. */
    void segmentStarts();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.tailing;

import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;

/**
 * Receives each edit that a standby or an observer applies, just before it is applied, and the segments that it begins to write.
 *
 * <p>It is called on the thread that applies edits or changes the role, under the namesystem's write lock, and delays both. It must
 * not throw: HDFS would take that for a broken journal.
 */
public interface EditsObserver {
    /** The observer that ignores everything. */
    EditsObserver NOBODY = new EditsObserver() {
        @Override
        public void onEdit(FSEditLogOp edit) {}

        @Override
        public void onStreamFinished() {}

        @Override
        public void onSegmentStart() {}
    };

    /**
     * HDFS is about to receive this edit, and has applied those before it. An edit that HDFS has long applied, and skips, is told of
     * as well.
     *
     * @param edit HDFS reuses the object for later edits
     */
    void onEdit(FSEditLogOp edit);

    /**
     * HDFS gives up a stream after this edit, which it may not have applied, without having asked for another one; called just
     * before {@link #onStreamFinished}.
     */
    default void onStreamAbandoned(FSEditLogOp edit) {}

    /** HDFS has applied all edits that {@link #onEdit} reported, as far as it could, and reads no more from the same stream. */
    void onStreamFinished();

    /** Called when this NameNode, as the writer, begins a segment: when it becomes active, and whenever the log is rolled. */
    void onSegmentStart();
}

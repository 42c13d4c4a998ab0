/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.restore;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.model.Checkpoint;
import io.trefoil.checkpoint.model.Manifest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The state on which a plan depends, as seen by one host. Immutable. */
@AutoValue
public abstract class RestoreState {

    public static Builder builder() {
        return new AutoValue_RestoreState.Builder()
                .singleNameservice(false)
                .repeatRestore(false)
                .runningNameNodes(Collections.<String, List<String>>emptyMap())
                .writerPossible(false)
                .unfinishedRestore(Optional.<Manifest>empty())
                .editsDamage(Optional.<String>empty())
                .voidLineDamage(Optional.<String>empty());
    }

    public abstract Checkpoint checkpoint();

    /** The nameservice of this host's NameNode. */
    public abstract String nameservice();

    public abstract String nameNode();

    /** Whether to restore this nameservice without the others. */
    public abstract boolean singleNameservice();

    /** Whether to also make the edits void that were written since an earlier restore to the checkpoint. */
    public abstract boolean repeatRestore();

    /** The NameNodes of the federation that answer, by nameservice. */
    public abstract Map<String, List<String>> runningNameNodes();

    /** The last committed transaction of this nameservice's journal. */
    public abstract long newestTxId();

    /** The checkpoint to which this nameservice's journal is being restored, or whose restore is being undone; empty if there is none. */
    public abstract Optional<Manifest> unfinishedRestore();

    /** Whether the pool may still have a writer. */
    public abstract boolean writerPossible();

    /** Returns why not all transactions from the image to the cut can be read; empty if they can. */
    public abstract Optional<String> editsDamage();

    /**
     * Returns why the transactions that the restore made void cannot be brought back; empty if they can, or if that was not requested.
     */
    public abstract Optional<String> voidLineDamage();

    /** The images kept by this host. */
    public abstract List<RetainedImageFile> imageFiles();

    public abstract List<NameDirectory> directories();

    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder checkpoint(Checkpoint checkpoint);

        public abstract Builder nameservice(String nameservice);

        public abstract Builder nameNode(String nameNode);

        public abstract Builder singleNameservice(boolean singleNameservice);

        public abstract Builder repeatRestore(boolean repeatRestore);

        public abstract Builder runningNameNodes(Map<String, List<String>> runningNameNodes);

        public abstract Builder newestTxId(long newestTxId);

        public abstract Builder unfinishedRestore(Optional<Manifest> unfinishedRestore);

        public abstract Builder writerPossible(boolean possible);

        public abstract Builder editsDamage(Optional<String> damage);

        public abstract Builder voidLineDamage(Optional<String> damage);

        public abstract Builder imageFiles(List<RetainedImageFile> imageFiles);

        public abstract Builder directories(List<NameDirectory> directories);

        public abstract RestoreState build();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.progress.Amount;
import io.trefoil.federation.table.SubtreePath;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The size of a subtree. Immutable. */
@AutoValue
public abstract class SubtreeSize {

    /** The heap that a move needs per file; 457 bytes per tree were measured for a path of 70 characters, and there are two trees. */
    private static final long HEAP_BYTES_OF_EACH = 1_400;

    /** The measured time for which a NameNode holds its lock per file or directory while it deletes a snapshot. */
    private static final long NANOS_OF_VISIT = 25;

    /** The heap of Hadoop's client, however small the subtree is. */
    private static final long HEAP_BYTES = 64 << 20;

    public static Builder builder() {
        return new AutoValue_SubtreeSize.Builder();
    }

    public abstract long files();

    /** The number of directories, including the subtree's own. */
    public abstract long directories();

    public abstract long bytes();

    /** The bytes of all replicas. */
    public abstract long bytesOnDisks();

    /** The maximum number of blocks, assuming none is smaller than usual, as NameNodes do not count them by directory. */
    public abstract long blocks();

    /** The heap that a command needs to hold both trees of the move in memory, in bytes; more if names are much longer than usual. */
    public final long heapBytes() {
        return HEAP_BYTES + HEAP_BYTES_OF_EACH * (files() + directories());
    }

    /**
     * Returns why a command with this much memory must not begin, as it would fail in the middle of its work; empty if it has enough.
     */
    final Optional<String> heapShortageReason(long heapBytes) {
        return heapBytes() <= heapBytes
                ? Optional.empty()
                : Optional.of("The command needs about " + heapMegabytes() + " MB of heap for "
                        + (files() + directories())
                        + " files and directories, and has " + toMegabytes(heapBytes) + " MB: HADOOP_CLIENT_OPTS=-Xmx"
                        + heapMegabytes() + "m, or move parts of the subtree one after the other");
    }

    /** {@link #heapBytes} in MB. */
    public final long heapMegabytes() {
        return toMegabytes(heapBytes());
    }

    /** The approximate time that other clients wait while a snapshot is deleted, which a NameNode does in one go. */
    public final long snapshotDeletionWaitMillis() {
        return 1 + NANOS_OF_VISIT * (files() + directories()) / 1_000_000;
    }

    private static long toMegabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }

    /** The amount in the subtree, without its own directory; blocks are not counted by directory. */
    final Amount contentAmount() {
        return Amount.builder()
                .files(files())
                .directories(Math.max(0, directories() - 1))
                .build();
    }

    /** Measures subtrees; must be closed. A NameNode goes through a subtree to answer, so ask for few. */
    public interface Source extends Closeable {

        /** @return empty if there is no such directory in that nameservice */
        Optional<SubtreeSize> of(String nameservice, SubtreePath path) throws IOException;
    }

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder files(long files);

        public abstract Builder directories(long directories);

        public abstract Builder bytes(long bytes);

        public abstract Builder bytesOnDisks(long bytesOnDisks);

        public abstract Builder blocks(long blocks);

        public abstract SubtreeSize build();
    }
}

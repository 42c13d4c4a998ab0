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

    /** The heap that a move needs for each file, measured as 457 bytes for a path of 70 letters in one of two trees. */
    private static final long HEAP_BYTES_OF_EACH = 1_400;

    /** The time, measured, for which a NameNode holds its lock per file or folder while it deletes a snapshot. */
    private static final long NANOS_OF_VISIT = 25;

    /** The heap of Hadoop's client, however small the subtree is. */
    private static final long HEAP_BYTES = 64 << 20;

    public static Builder builder() {
        return new AutoValue_SubtreeSize.Builder();
    }

    public abstract long files();

    /** The number of folders, including the subtree's own. */
    public abstract long folders();

    public abstract long bytes();

    /** The bytes of all replicas. */
    public abstract long bytesOnDisks();

    /** The most blocks, if none is smaller than blocks usually are: NameNodes do not count them by folder. */
    public abstract long blocks();

    /** The heap that a command needs to hold both trees of the move in memory, in bytes; more if names are much longer than usual. */
    public final long heapBytes() {
        return HEAP_BYTES + HEAP_BYTES_OF_EACH * (files() + folders());
    }

    /** Why a command with so much memory does not begin, rather than end in the middle of its work; empty if it has enough. */
    final Optional<String> tooLargeFor(long heapBytes) {
        return heapBytes() <= heapBytes
                ? Optional.empty()
                : Optional.of("The command needs about " + heapMegabytes() + " MB of heap for " + (files() + folders())
                        + " files and folders, and has " + megabytes(heapBytes) + " MB: HADOOP_CLIENT_OPTS=-Xmx"
                        + heapMegabytes() + "m, or move parts of the subtree one after the other");
    }

    /** {@link #heapBytes} in MB. */
    public final long heapMegabytes() {
        return megabytes(heapBytes());
    }

    /** The approximate time that others wait while a snapshot is deleted, which a NameNode does in one go. */
    public final long othersMillis() {
        return 1 + NANOS_OF_VISIT * (files() + folders()) / 1_000_000;
    }

    private static long megabytes(long bytes) {
        return (bytes + (1 << 20) - 1) >> 20;
    }

    /** The amount in the subtree, without its own folder; blocks are not known by folder. */
    final Amount inside() {
        return Amount.builder()
                .files(files())
                .folders(Math.max(0, folders() - 1))
                .build();
    }

    /** Measures subtrees; must be closed. A NameNode goes through a subtree to answer, so ask for few. */
    public interface Source extends Closeable {

        /** @return empty if there is no such folder in that nameservice */
        Optional<SubtreeSize> of(String nameservice, SubtreePath path) throws IOException;
    }

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder files(long files);

        public abstract Builder folders(long folders);

        public abstract Builder bytes(long bytes);

        public abstract Builder bytesOnDisks(long bytes);

        public abstract Builder blocks(long blocks);

        public abstract SubtreeSize build();
    }
}

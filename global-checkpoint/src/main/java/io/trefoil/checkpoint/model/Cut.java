/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.model;

import com.google.auto.value.AutoValue;
import java.util.Optional;

/** The point at which one nameservice's history was cut. Immutable. */
@AutoValue
public abstract class Cut {

    public static Builder builder() {
        return new AutoValue_Cut.Builder().snapshot(Optional.<String>empty());
    }

    public abstract String nameservice();

    /** The NameNode that was active. */
    public abstract String nameNode();

    /** The last transaction that belongs to the checkpoint. */
    public abstract long txId();

    /** The last transaction of the image that is kept for the checkpoint; never above {@link #txId}. */
    public abstract long imageTxId();

    /** The number of files and directories in the namespace. */
    public abstract long files();

    public abstract long blocks();

    /** The HDFS snapshot of the root that keeps the blocks of files deleted later, if one was requested. */
    public abstract Optional<String> snapshot();

    /** The time that the cut waited for the namesystem's lock, in microseconds; clients were served during that time. */
    public abstract long waitedMicros();

    /** The part of {@link #frozenMicros} that ending the segment took, including the snapshot if there is one. */
    public abstract long cutMicros();

    /** The time for which the namesystem was locked, in microseconds. */
    public abstract long frozenMicros();

    /** Builds a cut; everything except the snapshot must be set. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder nameservice(String nameservice);

        public abstract Builder nameNode(String nameNode);

        public abstract Builder txId(long txId);

        public abstract Builder imageTxId(long imageTxId);

        public abstract Builder files(long files);

        public abstract Builder blocks(long blocks);

        public abstract Builder snapshot(Optional<String> snapshot);

        public abstract Builder waitedMicros(long micros);

        public abstract Builder cutMicros(long micros);

        public abstract Builder frozenMicros(long micros);

        abstract Cut autoBuild();

        /** @throws IllegalArgumentException if the image contains more than the checkpoint */
        public Cut build() {
            Cut cut = autoBuild();
            if (cut.imageTxId() > cut.txId() || cut.imageTxId() < 0) {
                throw new IllegalArgumentException("The image of a checkpoint at transaction " + cut.txId()
                        + " cannot be of transaction " + cut.imageTxId());
            }
            return cut;
        }
    }
}

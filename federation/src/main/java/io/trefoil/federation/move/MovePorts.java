/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.SubtreeMover.Pace;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.TableStore;
import java.util.function.Consumer;

/** The ports of a move, and the limits that it must observe. */
@AutoValue
public abstract class MovePorts {

    /** A builder without ports, without a limit of the rate, and without measuring the waits of others. */
    public static Builder builder() {
        return new AutoValue_MovePorts.Builder().pace(Pace.unlimited()).waits(LockWaitMeter.none());
    }

    abstract TableStore table();

    abstract MoveStore store();

    abstract MoveSource source();

    abstract MoveTarget target();

    abstract MoveLimits limits();

    abstract Pace pace();

    abstract MoveCounts counts();

    abstract LockWaitMeter waits();

    abstract Consumer<String> progress();

    /** A builder that sets the ports one by one. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder table(TableStore table);

        public abstract Builder store(MoveStore store);

        /** The subtree in its owner's nameservice. */
        public abstract Builder source(MoveSource source);

        /** The subtree's directory in the nameservice that will own it. */
        public abstract Builder target(MoveTarget target);

        public abstract Builder limits(MoveLimits limits);

        /** The rate at which files and directories are processed while clients work. */
        public abstract Builder pace(Pace pace);

        public abstract Builder counts(MoveCounts counts);

        public abstract Builder waits(LockWaitMeter waits);

        /** Receives a line for each round and each fault; may be called by any thread. */
        public abstract Builder progress(Consumer<String> progress);

        public abstract MovePorts build();
    }
}

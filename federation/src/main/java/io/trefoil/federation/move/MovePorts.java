/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.SubtreeMove.Pace;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.TableStore;
import java.util.function.Consumer;

/** The places that one move deals with, and what it is to keep to. */
@AutoValue
public abstract class MovePorts {

    /** A builder without any; at no rate, and without measuring what others wait for. */
    public static Builder builder() {
        return new AutoValue_MovePorts.Builder().pace(Pace.unlimited()).waits(LockWaits.none());
    }

    abstract TableStore table();

    abstract MoveStore store();

    abstract MoveSource source();

    abstract MoveTarget target();

    abstract MoveLimits limits();

    abstract Pace pace();

    abstract MoveCounts counts();

    abstract LockWaits waits();

    abstract Consumer<String> progress();

    /** A builder that sets the ports one by one. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder table(TableStore table);

        public abstract Builder store(MoveStore store);

        /** The subtree at its owner. */
        public abstract Builder source(MoveSource source);

        /** The subtree's folder at the nameservice that is to have it. */
        public abstract Builder target(MoveTarget target);

        public abstract Builder limits(MoveLimits limits);

        /** The pace at which files and folders are dealt with while clients work. */
        public abstract Builder pace(Pace pace);

        public abstract Builder counts(MoveCounts counts);

        public abstract Builder waits(LockWaits waits);

        /** Receives a line for each round and each fault; any thread calls it. */
        public abstract Builder progress(Consumer<String> progress);

        public abstract MovePorts build();
    }
}

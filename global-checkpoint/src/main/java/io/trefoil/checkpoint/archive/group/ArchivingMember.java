/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import com.google.auto.value.AutoValue;

/** Describes a NameNode's report of its part in archiving. Immutable. */
@AutoValue
public abstract class ArchivingMember {

    /** Starts the description of a member that neither archives nor has tried to. */
    public static Builder builder(String name) {
        return new AutoValue_ArchivingMember.Builder()
                .name(name)
                .active(false)
                .archiving(false)
                .failing(false)
                .lagMillis(0);
    }

    public abstract String name();

    public abstract boolean active();

    public abstract boolean archiving();

    /** Whether it tried not long ago, and could not. */
    public abstract boolean failing();

    /** The age from which on all committed entries are in the archive, as far as the member knows. */
    public abstract long lagMillis();

    /** Collects the description of a member. */
    @AutoValue.Builder
    public abstract static class Builder {

        public abstract Builder name(String name);

        public abstract Builder active(boolean active);

        public abstract Builder archiving(boolean archiving);

        public abstract Builder failing(boolean failing);

        public abstract Builder lagMillis(long lagMillis);

        public abstract ArchivingMember build();
    }
}

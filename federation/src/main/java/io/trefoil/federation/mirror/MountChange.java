/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** A change of one entry of the Routers' mount table. Immutable. */
@AutoValue
public abstract class MountChange {

    /** The kinds of changes. */
    public enum Kind {
        /** The entry is created; refused if it exists. */
        ADD,
        /** The entry gets another target. */
        SET,
        /** The entry keeps its target; only its mark changes. */
        MARK,
        /** The entry is removed. */
        REMOVE;

        /** The kind in lower case, for human readers and scripts. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static MountChange of(Kind kind, String path, String nameservice) {
        return new AutoValue_MountChange(kind, path, nameservice);
    }

    public abstract Kind kind();

    public abstract String path();

    /** The subtree's owner from now on, even if its entry is removed. */
    public abstract String nameservice();
}

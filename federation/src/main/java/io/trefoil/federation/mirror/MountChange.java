/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** One change of one entry of the Routers' mount table. Immutable. */
@AutoValue
public abstract class MountChange {

    /** What becomes of the entry. */
    public enum Kind {
        /** It is created; refused if there is one. */
        ADD,
        /** It leads elsewhere from now on. */
        SET,
        /** It leads where it led before; only its mark changes. */
        MARK,
        /** It is removed. */
        REMOVE;

        /** For people and scripts. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static MountChange of(Kind kind, String path, String nameservice) {
        return new AutoValue_MountChange(kind, path, nameservice);
    }

    public abstract Kind kind();

    public abstract String path();

    /** The owner of the subtree from now on, even if its entry is removed. */
    public abstract String nameservice();
}

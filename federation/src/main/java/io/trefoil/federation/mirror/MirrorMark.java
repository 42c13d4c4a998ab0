/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.table.SubtreeTable;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Marks an entry of the mount table as belonging to a table, with the version that last changed it. The mark is the entry's owner and
 * group: a record next to the entries could be lost, or older than they are. Immutable.
 */
@AutoValue
public abstract class MirrorMark {

    /**
     * The owner field of all entries with a mark. No user works under this name, so only superusers of the Routers may change such an
     * entry.
     */
    private static final String OWNER = "trefoil";

    private static final Pattern GROUP = Pattern.compile("([A-Za-z0-9-]+):([1-9][0-9]{0,8})");

    /** Returns the mark that a version of the table gives its entries. */
    public static MirrorMark of(SubtreeTable table) {
        return new AutoValue_MirrorMark(table.name(), table.version());
    }

    /** Returns the mark of an entry with this owner and group; empty if it has none. */
    public static Optional<MirrorMark> read(String owner, String group) {
        Matcher mark = GROUP.matcher(group);
        return OWNER.equals(owner) && mark.matches()
                ? Optional.of(new AutoValue_MirrorMark(mark.group(1), Integer.parseInt(mark.group(2))))
                : Optional.empty();
    }

    /** The name of the table. */
    abstract String table();

    abstract int version();

    /** The owner of the entry. */
    public final String owner() {
        return OWNER;
    }

    /** The group of the entry. */
    public final String group() {
        return table() + ":" + version();
    }
}

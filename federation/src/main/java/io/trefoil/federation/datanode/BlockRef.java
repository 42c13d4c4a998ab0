/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.datanode;

import com.google.auto.value.AutoValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block at one moment: its id, and its generation stamp, which grows whenever its replicas may have changed. Immutable. */
@AutoValue
public abstract class BlockRef {

    /** The form of a name: its numbers have no leading zeros, so that a block has only one name. */
    private static final Pattern TEXT = Pattern.compile("blk_(-?[1-9][0-9]{0,18})_([1-9][0-9]{0,18})");

    /**
     * Parses a name as HDFS writes it: {@code blk_1073741825_1001}.
     *
     * @throws IllegalArgumentException if the text is not such a name
     */
    public static BlockRef parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Wanted a block as blk_<id>_<stamp>, found " + text);
        }
        try {
            return new AutoValue_BlockRef(Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Wanted a block as blk_<id>_<stamp>, found " + text, e);
        }
    }

    public abstract long id();

    public abstract long stamp();

    /**
     * Whether HDFS hands out ids like this one in sequence, which it does for replicated blocks. Ids below zero belong to groups
     * of erasure-coded files, or are random ids from versions before 2.3.
     */
    public final boolean isSequential() {
        return id() > 0;
    }

    @Override
    public final String toString() {
        return "blk_" + id() + "_" + stamp();
    }
}

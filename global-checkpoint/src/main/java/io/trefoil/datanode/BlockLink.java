/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode;

import com.google.auto.value.AutoValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One block of the source pool, and the block of the target pool that is to have the same bytes. Immutable. */
@AutoValue
public abstract class BlockLink {

    private static final Pattern TEXT = Pattern.compile("([^:>]+):([0-9]{1,19})>([^:>]+)");

    /**
     * @param length in bytes, of either
     * @throws IllegalArgumentException if the length is negative, or HDFS never gave out one of the ids to a block that can be linked
     */
    public static BlockLink of(BlockName from, long length, BlockName to) {
        if (length < 0) {
            throw new IllegalArgumentException("The length of " + from + " is negative: " + length);
        }
        requireSequential(from);
        requireSequential(to);
        return new AutoValue_BlockLink(from, length, to);
    }

    private static void requireSequential(BlockName block) {
        if (!block.isSequential()) {
            throw new IllegalArgumentException(block
                    + " belongs to an erasure-coded file, or is older than HDFS 2.3; such blocks cannot be linked");
        }
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static BlockLink parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Wanted <block>:<length>><block>, found " + text);
        }
        try {
            return of(BlockName.parse(parts.group(1)), Long.parseLong(parts.group(2)), BlockName.parse(parts.group(3)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Too long a block: " + text, e);
        }
    }

    /** The block of the source pool; finalized, with just this stamp. */
    public abstract BlockName from();

    public abstract long length();

    /** The block of the target pool, which its NameNode has allocated and nobody has written to. */
    public abstract BlockName to();

    @Override
    public final String toString() {
        return from() + ":" + length() + ">" + to();
    }
}

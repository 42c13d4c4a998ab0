/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.datanode;

import com.google.auto.value.AutoValue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A block of the source pool, and the block of the target pool that is to have the same bytes. Immutable. */
@AutoValue
public abstract class BlockLink {

    private static final Pattern TEXT = Pattern.compile("([^:>]+):([0-9]{1,19})>([^:>]+)");

    /**
     * @param length of both blocks, in bytes
     * @throws IllegalArgumentException if the length is negative, or an id is not of a kind of block that can be linked
     */
    public static BlockLink of(BlockRef from, long length, BlockRef to) {
        if (length < 0) {
            throw new IllegalArgumentException("The length of " + from + " is negative: " + length);
        }
        requireSequential(from);
        requireSequential(to);
        return new AutoValue_BlockLink(from, length, to);
    }

    private static void requireSequential(BlockRef block) {
        if (!block.isSequential()) {
            throw new IllegalArgumentException(block
                    + " belongs to an erasure-coded file, or is older than HDFS 2.3; such blocks cannot be linked");
        }
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static BlockLink parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("Wanted <block>:<length>><block>, found " + text);
        }
        try {
            return of(BlockRef.parse(parts.group(1)), Long.parseLong(parts.group(2)), BlockRef.parse(parts.group(3)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Too long a block: " + text, e);
        }
    }

    /** The block of the source pool; finalized, with exactly this stamp. */
    public abstract BlockRef from();

    public abstract long length();

    /** The block of the target pool; its NameNode has allocated it, and no client has written to it. */
    public abstract BlockRef to();

    @Override
    public final String toString() {
        return from() + ":" + length() + ">" + to();
    }
}

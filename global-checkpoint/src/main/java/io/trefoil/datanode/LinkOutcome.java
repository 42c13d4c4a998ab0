/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode;

import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.Locale;

/** What became of one block of a {@link LinkOrder}. Immutable. */
@AutoValue
public abstract class LinkOutcome {

    private static final int PARTS = 3;

    /** Whether the block is there now. */
    public enum Verdict {
        /** It is in the target pool, and stays there if the host loses power now; its NameNode is being told. */
        LINKED,
        /** Nothing has changed, and asking again is of no use before something else does. */
        REFUSED,
        /** The disk, or HDFS, failed: nobody knows. Asking again finds out. */
        FAILED
    }

    /** @param text one line */
    public static LinkOutcome of(BlockName block, Verdict verdict, String text) {
        return new AutoValue_LinkOutcome(block, verdict, text.replaceAll("\\s+", " "));
    }

    /**
     * Reads what {@link #toString} wrote.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static LinkOutcome parse(String line) {
        String[] parts = line.split(" ", PARTS);
        if (parts.length < PARTS) {
            throw new IllegalArgumentException("Wanted a block, what became of it, and more; found " + line);
        }
        Verdict verdict = Arrays.stream(Verdict.values())
                .filter(one -> word(one).equals(parts[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown outcome: " + line));
        return of(BlockName.parse(parts[0]), verdict, parts[2]);
    }

    private static String word(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    /** The block of the target pool. */
    public abstract BlockName block();

    public abstract Verdict verdict();

    /**
     * If it is linked, the MD5 of its checksums, the same on all DataNodes that have the same bytes in chunks of the same size: HDFS's
     * own checksum of the file is made from these. Otherwise why it is not.
     */
    public abstract String text();

    @Override
    public final String toString() {
        return block() + " " + word(verdict()) + " " + text();
    }
}

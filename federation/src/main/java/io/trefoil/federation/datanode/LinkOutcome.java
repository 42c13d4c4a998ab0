/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.datanode;

import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.Locale;

/** The outcome for one block of a {@link LinkOrder}. Immutable. */
@AutoValue
public abstract class LinkOutcome {

    private static final int PARTS = 3;

    /** Whether the block exists now. */
    public enum Verdict {
        /** The block is in the target pool, and from now on survives a loss of power; its NameNode is being notified. */
        LINKED,
        /** The DataNode refused without changing anything, and a retry is useless until something else changes. */
        REFUSED,
        /** The disk or HDFS failed, so the outcome is unknown. Asking again finds out. */
        FAILED
    }

    /** @param text one line */
    public static LinkOutcome of(BlockRef block, Verdict verdict, String text) {
        return new AutoValue_LinkOutcome(block, verdict, text.replaceAll("\\s+", " "));
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static LinkOutcome parse(String line) {
        String[] parts = line.split(" ", PARTS);
        if (parts.length < PARTS) {
            throw new IllegalArgumentException("Wanted a block, what became of it, and more; found " + line);
        }
        Verdict verdict = Arrays.stream(Verdict.values())
                .filter(one -> token(one).equals(parts[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown outcome: " + line));
        return of(BlockRef.parse(parts[0]), verdict, parts[2]);
    }

    private static String token(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT);
    }

    /** The block of the target pool. */
    public abstract BlockRef block();

    public abstract Verdict verdict();

    /**
     * The MD5 of the block's checksums if the block is linked, otherwise the reason why it is not. The MD5 is the same
     * on all DataNodes that have the same bytes in chunks of the same size; HDFS makes its own checksum of the file
     * from these.
     */
    public abstract String text();

    @Override
    public final String toString() {
        return block() + " " + token(verdict()) + " " + text();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.List;

/** A number of files, directories and blocks. Immutable. */
@AutoValue
public abstract class Amount {

    public static Builder builder() {
        return new AutoValue_Amount.Builder().files(0).directories(0).blocks(0);
    }

    public static Amount zero() {
        return builder().build();
    }

    public abstract long files();

    public abstract long directories();

    public abstract long blocks();

    /** The sum of two amounts. */
    public final Amount plus(Amount other) {
        return builder()
                .files(files() + other.files())
                .directories(directories() + other.directories())
                .blocks(blocks() + other.blocks())
                .build();
    }

    /** A copy of this amount without blocks. */
    public final Amount withoutBlocks() {
        return builder().files(files()).directories(directories()).build();
    }

    /** Files and directories. */
    final long nodes() {
        return files() + directories();
    }

    /** The share of a total that this amount makes up, as text. What is not known in advance may be more than the total. */
    final String text(Amount total) {
        List<String> parts = new ArrayList<>();
        addPart(parts, files(), "files", total.files());
        addPart(parts, directories(), "directories", total.directories());
        addPart(parts, blocks(), "blocks", total.blocks());
        return parts.isEmpty() ? "nothing to count" : String.join(", ", parts);
    }

    private static void addPart(List<String> parts, long completed, String unit, long total) {
        if (completed > total) {
            parts.add(completed + " " + unit);
        } else if (total > 0) {
            parts.add(completed + " of " + total + " " + unit);
        }
    }

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder files(long files);

        public abstract Builder directories(long directories);

        public abstract Builder blocks(long blocks);

        public abstract Amount build();
    }
}

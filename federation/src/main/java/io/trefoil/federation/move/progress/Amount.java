/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.progress;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.List;

/** A number of files, folders and blocks. Immutable. */
@AutoValue
public abstract class Amount {

    public static Builder builder() {
        return new AutoValue_Amount.Builder().files(0).folders(0).blocks(0);
    }

    public static Amount none() {
        return builder().build();
    }

    public abstract long files();

    public abstract long folders();

    public abstract long blocks();

    /** The sum of two amounts. */
    public final Amount plus(Amount other) {
        return builder()
                .files(files() + other.files())
                .folders(folders() + other.folders())
                .blocks(blocks() + other.blocks())
                .build();
    }

    /** A copy of this amount without blocks. */
    public final Amount withoutBlocks() {
        return builder().files(files()).folders(folders()).build();
    }

    /** Files and folders. */
    final long nodes() {
        return files() + folders();
    }

    /** The part that this amount is of a total, as text. What is not known in advance may be more than the total. */
    final String text(Amount total) {
        List<String> parts = new ArrayList<>();
        part(parts, files(), "files", total.files());
        part(parts, folders(), "folders", total.folders());
        part(parts, blocks(), "blocks", total.blocks());
        return parts.isEmpty() ? "nothing to count" : String.join(", ", parts);
    }

    private static void part(List<String> parts, long done, String what, long total) {
        if (done > total) {
            parts.add(done + " " + what);
        } else if (total > 0) {
            parts.add(done + " of " + total + " " + what);
        }
    }

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder files(long files);

        public abstract Builder folders(long folders);

        public abstract Builder blocks(long blocks);

        public abstract Amount build();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.balance;

import com.google.auto.value.AutoValue;

/** The load of a nameservice, or of a subtree in it. Immutable. */
@AutoValue
public abstract class Load {

    public static final Load NONE = builder().operations(0).inodes(0).blocks(0).build();

    public static Builder builder() {
        return new AutoValue_Load.Builder();
    }

    /** The calls per minute. */
    public abstract double operations();

    public abstract double inodes();

    public abstract double blocks();

    final Load plus(Load other) {
        return builder()
                .operations(operations() + other.operations())
                .inodes(inodes() + other.inodes())
                .blocks(blocks() + other.blocks())
                .build();
    }

    /** The difference, never negative, as the load of a subtree is an estimate. */
    final Load minus(Load other) {
        return builder()
                .operations(Math.max(0, operations() - other.operations()))
                .inodes(Math.max(0, inodes() - other.inodes()))
                .blocks(Math.max(0, blocks() - other.blocks()))
                .build();
    }

    /** The shares of another load that this one makes up. */
    final Load dividedBy(Load total) {
        return builder()
                .operations(ratio(operations(), total.operations()))
                .inodes(ratio(inodes(), total.inodes()))
                .blocks(ratio(blocks(), total.blocks()))
                .build();
    }

    private static double ratio(double value, double all) {
        return all > 0 ? value / all : 0;
    }

    final double largest() {
        return Math.max(operations(), Math.max(inodes(), blocks()));
    }

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder operations(double operations);

        public abstract Builder inodes(double inodes);

        public abstract Builder blocks(double blocks);

        public abstract Load build();
    }
}

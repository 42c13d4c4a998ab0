/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move.explore;

import java.util.List;

/** Is changed only while it is made, by the one that makes it; equal if all that it has is. */
abstract class Value {

    /** All that it has, in an order. */
    abstract List<Object> components();

    @Override
    public final boolean equals(Object other) {
        return other instanceof Value value
                && getClass() == other.getClass()
                && components().equals(value.components());
    }

    @Override
    public final int hashCode() {
        return components().hashCode();
    }

    @Override
    public String toString() {
        return components().toString();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import java.util.List;

/** Small numbers for the constants of an enum, in their order, as parts of keys and states. */
final class Codes<E extends Enum<E>> {

    private final List<E> all;

    Codes(Class<E> type) {
        all = List.of(type.getEnumConstants());
    }

    // They are asked for several times in each step, and mean nothing to another version of the program.
    @SuppressWarnings("EnumOrdinal")
    int codeOf(E each) {
        return each.ordinal();
    }

    E get(int code) {
        return all.get(code);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Small numbers for the constants of an enum, in their order, as parts of keys and states. */
final class Codes<E extends Enum<E>> {

    private final List<E> all;
    private final Map<E, Integer> codes;

    Codes(Class<E> type) {
        all = List.of(type.getEnumConstants());
        codes = new EnumMap<>(type);
        all.forEach(each -> codes.put(each, codes.size()));
    }

    int of(E each) {
        return codes.get(each);
    }

    E get(int code) {
        return all.get(code);
    }
}

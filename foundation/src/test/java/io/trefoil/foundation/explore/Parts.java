/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** Numbers parts of states, so that equal ones have one number. As {@link NumberedList}, it is read by any thread. */
public final class Parts<T> {

    private final Map<Object, Integer> numbers = new HashMap<>();
    private final NumberedList<T> parts = new NumberedList<>();
    private final Function<T, Object> key;

    /** @param key equal for equal parts only */
    public Parts(Function<T, Object> key) {
        this.key = key;
    }

    public int numberOf(T part) {
        Object own = key.apply(part);
        Integer known = numbers.get(own);
        if (known != null) {
            return known;
        }
        numbers.put(own, parts.size());
        return parts.add(part);
    }

    public T get(int number) {
        return parts.get(number);
    }

    public int size() {
        return parts.size();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import java.util.List;
import java.util.Random;

/** Random requests on so few names that clients constantly conflict. */
public final class RandomRequests {
    /** The names that all requests are about. */
    public static final List<String> NAMES = List.of("a", "b", "c");

    private RandomRequests() {}

    /** The next request of a client that changes nothing. */
    public static HistoryRequest nextRead(Random random, String unused) {
        return HistoryRequest.read(NAMES.get(random.nextInt(NAMES.size())));
    }

    /**
     * The next request.
     *
     * @param content of the file that a CREATE makes; unique
     */
    public static HistoryRequest next(Random random, String content) {
        int first = random.nextInt(NAMES.size());
        String name = NAMES.get(first);
        // Any name but the first.
        String other = NAMES.get((first + 1 + random.nextInt(NAMES.size() - 1)) % NAMES.size());
        return switch (random.nextInt(9)) {
            case 0, 1 -> HistoryRequest.create(name, content);
            case 2, 3 -> HistoryRequest.delete(name);
            case 4, 5 -> HistoryRequest.rename(name, other);
            case 6 -> HistoryRequest.mkdirs(name);
            default -> HistoryRequest.read(name);
        };
    }
}

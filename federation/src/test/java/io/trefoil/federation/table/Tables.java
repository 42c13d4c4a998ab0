/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import java.util.Map;
import java.util.TreeMap;

/** Versions as a test wants them, without the changes that lead there. */
public final class Tables {

    private Tables() {}

    public static SubtreeTable tableWith(int version, Map<String, String> owners) {
        Map<SubtreePath, String> parsed = new TreeMap<>();
        owners.forEach((path, owner) -> parsed.put(SubtreePath.parse(path), owner));
        return SubtreeTable.of(version, "cluster", parsed);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.Map;
import java.util.TreeMap;

/** The owning nameservice of each path, by the longest entry that contains it. Immutable. */
public final class SubtreeOwners {
    private final Map<String, String> owners;
    private final String rootOwner;

    /** @param owners by the absolute path of each entry but the root */
    public SubtreeOwners(String rootOwner, Map<String, String> owners) {
        this.rootOwner = rootOwner;
        this.owners = new TreeMap<>(owners);
    }

    /** @param path absolute and normalized */
    public String ownerOf(String path) {
        String prefix = path;
        while (!prefix.isEmpty()) {
            String owner = owners.get(prefix);
            if (owner != null) {
                return owner;
            }
            prefix = prefix.substring(0, prefix.lastIndexOf('/'));
        }
        return rootOwner;
    }
}

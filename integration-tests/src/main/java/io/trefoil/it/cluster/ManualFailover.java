/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import java.util.List;
import java.util.Map;

/** Nobody, unless the test does it. */
final class ManualFailover implements FailoverKind {

    @Override
    public boolean isAutomatic() {
        return false;
    }

    @Override
    public List<String> serverNames(Layout layout) {
        return List.of();
    }

    @Override
    public String nameNodeOf(String server) {
        throw new IllegalArgumentException(server);
    }

    @Override
    public String serverMainClass() {
        throw new IllegalStateException("there are no servers");
    }

    @Override
    public Map<String, String> sharedProperties(Layout layout) {
        return Map.of();
    }

    @Override
    public Map<String, String> clientProperties() {
        return Map.of();
    }

    @Override
    public List<String> nameNodePlugins() {
        return List.of();
    }
}

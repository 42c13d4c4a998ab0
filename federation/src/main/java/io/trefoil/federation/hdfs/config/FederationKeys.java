/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All settings of federation; {@code docs/reference/federation-settings.md} is generated from them. */
public final class FederationKeys implements SettingsSection {

    /** Whether NameNodes obey the marks of moves. */
    public static final ConfigKey<Boolean> GATE = ConfigKey.flag("trefoil.federation.gate")
            .withDefault("false")
            .withDoc(
                    "Whether the active holds calls that would change a subtree while a mark of a superuser freezes it, and"
                            + " executes them when the mark is removed, or its time is over; and whether calls for a subtree that was given"
                            + " away are answered with its new owner. Set it at all NameNodes of the nameservice.");

    /** The number of names of a path to which the loads of subtrees are counted, for NameNodes with and without automatic failover. */
    public static final ConfigKey<Integer> LOAD_DEPTH = ConfigKey.count("trefoil.federation.load.depth")
            .withDefault("3")
            .withBound("at least 1 and at most 8", depth -> depth >= 1 && depth <= 8)
            .withDoc(
                    "Down to which depth calls are counted by subtree: with 3, `/warehouse/sales/orders` is the deepest kind. Only read"
                            + " where `dfs.namenode.audit.loggers` has `io.trefoil.federation.hdfs.load.SubtreeLoadLogger`, behind"
                            + " `default`; without that, nothing is counted.");

    private static final List<ConfigKey<?>> ALL =
            Collections.unmodifiableList(Arrays.<ConfigKey<?>>asList(GATE, LOAD_DEPTH));

    private static final Map<String, String> REMOVED = Collections.unmodifiableMap(removedNames());

    private static Map<String, String> removedNames() {
        Map<String, String> removed = new LinkedHashMap<>();
        removed.put("trefoil.ha.subtrees", "set " + GATE.name() + " instead");
        removed.put("trefoil.ha.subtree-loads.depth", "set " + LOAD_DEPTH.name() + " instead");
        return removed;
    }

    /** Creates an instance for {@code ServiceLoader}. */
    public FederationKeys() {}

    @Override
    public String section() {
        return "federation";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return ALL;
    }

    @Override
    public Map<String, String> removedSettings() {
        return REMOVED;
    }

    static List<ConfigKey<?>> all() {
        return ALL;
    }
}

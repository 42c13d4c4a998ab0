/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.metrics;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** A hash of those settings of ours that should be equal on all NameNodes of a group, for monitoring. */
public final class SharedSettingsHash {
    /** Settings that differ between NameNodes by their nature. */
    private static final List<String> OWN = Arrays.asList(
            "trefoil.ha.site",
            "trefoil.ha.priority",
            "trefoil.ha.electable",
            "trefoil.journal.dir",
            "trefoil.journal.address");

    private SharedSettingsHash() {}

    /** @param settings those that are not at their default, by name */
    public static long hash(Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(settings).forEach((name, value) -> {
            // With the nameservice and the NameNode behind it, it is for one.
            if (OWN.stream().noneMatch(own -> name.equals(own) || name.startsWith(own + "."))) {
                text.append(name).append('=').append(value).append('\n');
            }
        });
        return hash(text.toString());
    }

    static long hash(String text) {
        CRC32 crc = new CRC32();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        crc.update(bytes, 0, bytes.length);
        return crc.getValue();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.foundation.hdfs.ConfigKey;
import java.util.List;

/** Writes the reference page of all settings. */
public final class ReferencePage {
    private static final String HEAD =
            """
            # Settings of the journal

            They are set in `hdfs-site.xml`, and read once, when a process starts. Each may have the suffix
            `.<nameservice>.<namenode>` or `.<nameservice>`; the most specific one wins. This page is generated from
            `SspKeys`.

            | property | type | default | meaning |
            | --- | --- | --- | --- |
            """;

    private static final String TAIL =
            """

            ## Settings of HDFS that belong to it

            | property | value | why |
            | --- | --- | --- |
            | `dfs.namenode.edits.journal-plugin.ssp` | `io.trefoil.journal.hdfs.SspJournalManager` | makes `ssp://` URIs known |
            | `dfs.namenode.shared.edits.dir` | `ssp:///<nameservice>` | the journal, kept by pool nodes in the NameNodes that `dfs.ha.namenodes.<nameservice>` names, at port 8487 on the \
            hosts of their `dfs.namenode.rpc-address`, or at `trefoil.journal.address.<nameservice>.<namenode>`; a NameNode with \
            `trefoil.journal.embedded.<nameservice>.<namenode>` = `false` has none. `ssp://host1:8487;host2:8487;host3:8487/<journal>` names pool \
            nodes that are elsewhere; 8487 is the port if none is given |
            | `dfs.namenode.edits.dir` | the same URI, as `${dfs.namenode.shared.edits.dir}` | no second copy of the edits in the NameNode's own directory; unset, HDFS writes one there as well |
            | `dfs.namenode.plugins` | `io.trefoil.journal.hdfs.SspTailingPlugin` | standbys apply edits when they are committed, not once a minute |
            | `dfs.ha.tail-edits.in-progress` | `true`, or unset | standbys apply what is committed before its segment has ended; \
            set to `false`, they wait for that end, `SspTailingPlugin` does nothing, and a takeover has more to apply |
            | `dfs.namenode.num.checkpoints.retained` | `2` | how many of its NameNode's newest images a pool node holds for the others, by hard links, \
            in addition to those that a barrier or a pin needs or that somebody is fetching; as many as HDFS keeps itself |
            | `dfs.image.transfer.bandwidthPerSec` | `52428800`, or `50m` | how many bytes of images per second a pool node sends to others \
            at most, and how many it reads when it publishes one; with `0`, no limit for HDFS, a pool node stays at 50m, \
            and with less than `1m` at 1m, as nobody could fetch an image then |
            """;

    private ReferencePage() {}

    public static String of(List<ConfigKey<?>> keys) {
        StringBuilder page = new StringBuilder(HEAD);
        for (ConfigKey<?> key : keys) {
            page.append("| `").append(key.name()).append("` | ").append(key.type());
            if (!key.boundText().isEmpty()) {
                page.append(", ").append(key.boundText());
            }
            page.append(" | ")
                    .append(key.defaultText().map(text -> "`" + text + "`").orElse("none"));
            page.append(" | ").append(key.doc()).append(" |\n");
        }
        return page.append(TAIL).toString();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.linkage.LinkCheck;
import java.util.List;
import org.apache.hadoop.util.VersionInfo;

/**
 * Determines whether an edit gets its transaction id before the lock under which it was made is released. Held answers rely on it: without,
 * a read could be answered that has seen an edit which a failover loses. So do forwarded calls: a NameNode would answer before it has
 * applied the result itself.
 *
 * <p>In 3.1 and up to 3.3.1, the thread that writes edits gives them their ids, some time later. A vendor's build may
 * have the change and an older number, so the code is looked at. Uses {@code VersionInfo.getVersion}.
 */
final class EditTxIdAssignment {
    private static final String WRITER = "org.apache.hadoop.hdfs.server.namenode.FSEditLogAsync";

    private EditTxIdAssignment() {}

    /**
     * @param reliant the names of settings that are on and rely on it
     * @throws IllegalStateException if there are any and it is not so; its message says what to do
     */
    static void require(ClassLoader hadoop, List<String> reliant) {
        if (!reliant.isEmpty() && !new LinkCheck(hadoop).isUsedBy(WRITER, "beginTransaction")) {
            throw new IllegalStateException("Hadoop " + VersionInfo.getVersion()
                    + " numbers edits after other calls have seen them, so an answer cannot wait for"
                    + " all that it reveals: set " + String.join(" and ", reliant)
                    + " to false for all NameNodes, and clients see"
                    + " what a failover loses, as with stock HDFS, and calls are not forwarded; or install a Hadoop that numbers"
                    + " them at once, such as 3.2.4 or 3.3.4");
        }
    }
}

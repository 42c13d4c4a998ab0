/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import io.trefoil.foundation.linkage.LinkCheck;
import org.apache.hadoop.util.VersionInfo;

/**
 * Whether an edit has its transaction id before the lock under which it was made is released. Held answers rely on it: without, a read
 * could be answered that has seen an edit which a failover loses.
 *
 * <p>In 3.1 and up to 3.3.1, the thread that writes edits gives them their ids, some time later. A vendor's build may
 * have the change and an older number, so the code is looked at. Uses {@code VersionInfo.getVersion}.
 */
final class NumberedEdits {
    private static final String WRITER = "org.apache.hadoop.hdfs.server.namenode.FSEditLogAsync";

    private NumberedEdits() {}

    /** @throws IllegalStateException if not; its message says what to do */
    static void require(ClassLoader hadoop) {
        if (!new LinkCheck(hadoop).isUsedBy(WRITER, "beginTransaction")) {
            throw new IllegalStateException(
                    "Hadoop " + VersionInfo.getVersion() + " numbers edits after other calls have"
                            + " seen them, so clients cannot be kept from what a failover loses: set trefoil.ha.read-committed to"
                            + " false for all NameNodes, and they see it, as with stock HDFS; or install a Hadoop that numbers them at once, such as 3.2.4 or 3.3.4");
        }
    }
}

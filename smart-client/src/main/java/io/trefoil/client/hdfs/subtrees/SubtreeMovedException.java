/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.subtrees;

import java.io.IOException;

/**
 * A NameNode was asked for something in a subtree that belongs to another nameservice by a newer version of the table.
 * Nothing was executed. The message says which nameservice and version, and what to do.
 */
public final class SubtreeMovedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** As Hadoop's clients build an exception that a server sent. */
    public SubtreeMovedException(String message) {
        super(message);
    }

    /**
     * @param folder of the subtree
     * @param owner the nameservice that has it
     * @param version of the table that says so
     */
    public static SubtreeMovedException of(String folder, String owner, int version) {
        return new SubtreeMovedException(folder + " belongs to nameservice " + owner + " since version " + version
                + " of the table of subtrees: it is hdfs://" + owner + folder
                + " now; a client that has read an older table must be restarted");
    }
}

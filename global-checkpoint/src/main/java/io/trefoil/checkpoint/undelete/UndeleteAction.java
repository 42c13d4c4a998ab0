/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.undelete;

/** The action for one path. */
public enum UndeleteAction {
    /** Nothing: it is there as it was. */
    SKIP,
    /** A directory is made, or finished that an earlier attempt made. */
    CREATE,
    /** A file is renamed back, out of the trash. */
    RENAME,
    /** The bytes are copied from somewhere else in the same file system. */
    COPY,
    /** Nothing: something else is in the way, and is not touched. */
    KEEP,
    /** Nothing: it is there with another owner, group, permission or ACL, and nothing is put back below it. */
    DIFFER,
    /** Nothing: it cannot be had. */
    LOSE,
    /** It was tried, and the file system refused. */
    FAIL;

    /** Whether it is not as it was afterwards. */
    public boolean isFinding() {
        return this == KEEP || this == DIFFER || this == LOSE || this == FAIL;
    }

    /** Whether it changes anything. */
    public boolean isChange() {
        return this == CREATE || this == RENAME || this == COPY;
    }
}

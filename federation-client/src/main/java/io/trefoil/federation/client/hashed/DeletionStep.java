/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** The steps by which a directory is deleted, and by which an incomplete deletion is undone. */
enum DeletionStep {
    /** An empty directory exists next to the name, in its home. Without it nothing can be decided; it stays if the client ends. */
    PLACE_DECISION,
    /** An empty directory exists next to each copy. It stays if the client ends. */
    PLACE_OTHERS,
    /**
     * A directory inside the name marks it as being deleted. From here on a client that needs the directory continues the
     * deletion, or undoes it.
     */
    PUBLISH,
    /** The copies are inside the directories next to them, so nothing can be created in them. */
    CLOSE_COPIES,
    /** The home's contents are inside the directory next to the name. */
    CLOSE_CONTENTS,
    /** The directory has no entries, or HDFS would let the caller delete all of them; otherwise the deletion is undone. */
    JUDGE,
    /**
     * The name is inside the directory next to it: the directory is gone. This decides. A client that lists the directory above removes the
     * rest.
     */
    DECIDE,
    /** Undone: the copies are back in place, and the directories next to them are removed. A client that comes later does the same. */
    OPEN_COPIES,
    /** Undone: the contents are back in place, and then the mark of the deletion is removed. */
    OPEN_CONTENTS
}

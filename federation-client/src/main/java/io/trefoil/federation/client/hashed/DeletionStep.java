/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

/** The steps by which a directory is deleted, and by which a deletion that is not done is undone. */
enum DeletionStep {
    /** An empty directory beside the name, in its home. Without it nothing can be decided; it stays if the client ends. */
    PLACE_DECISION,
    /** An empty directory beside each copy. It stays if the client ends. */
    PLACE_OTHERS,
    /** A directory in the name says that it is being deleted. From here on whoever needs the directory goes on, or undoes it. */
    PUBLISH,
    /** The copies are in the directories beside them, so nothing can be created in them. */
    CLOSE_COPIES,
    /** The contents of the home are in the directory beside the name. */
    CLOSE_CONTENTS,
    /** The directory has no entries, or HDFS would let the caller delete all of them; otherwise the deletion is undone. */
    JUDGE,
    /** The name is in the directory beside it: the directory is gone. This decides. Whoever lists the directory above removes the rest. */
    DECIDE,
    /** Undone: the copies are in their places again, and what was beside them is removed. Whoever comes later does the same. */
    OPEN_COPIES,
    /** Undone: the contents are in their place again; then nothing says that the directory is being deleted. */
    OPEN_CONTENTS
}

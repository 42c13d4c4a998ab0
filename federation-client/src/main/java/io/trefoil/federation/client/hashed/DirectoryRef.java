/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A directory with the inode ids of the directories around it. As long as it has its name they stay the same, whatever becomes of the
 * directories above; the path was right when this was made. Immutable.
 */
@AutoValue
abstract class DirectoryRef {

    static DirectoryRef of(String path, long directory, List<Long> parents) {
        return new AutoValue_DirectoryRef(path, directory, Collections.unmodifiableList(new ArrayList<>(parents)));
    }

    abstract String path();

    /** The inode id of its name, in its home. */
    abstract long directoryId();

    /** The inode ids of the parts of the parent directory, by group. */
    abstract List<Long> parentPartIds();

    final String name() {
        return HashedLayout.nameOf(path());
    }

    /** The path of a name next to the directory in a group. */
    final String siblingPath(int group, String name) {
        return HashedLayout.inodeEntryPath(parentPartIds().get(group), name);
    }

    /** A group's copy, until it has its name. */
    final String stagedCopyPath(int group) {
        return siblingPath(group, HashedLayout.stagedCopyName(directoryId(), name()));
    }

    /** The place of the directory's name or copy in a group. */
    final String placedPath(int group) {
        return siblingPath(group, name());
    }

    /** The path of an entry in the directory's name. */
    final String entryPath(String name) {
        return HashedLayout.inodeEntryPath(directoryId(), name);
    }

    final String contentsPath() {
        return HashedLayout.contentsOf(HashedLayout.inodePath(directoryId()));
    }
}

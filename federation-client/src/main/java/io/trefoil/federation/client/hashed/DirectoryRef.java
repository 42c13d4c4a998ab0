/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A directory with the numbers of what is around it. As long as it has its name they stay the same, whatever becomes of the
 * directories above; the path was right when this was made. Immutable.
 */
@AutoValue
abstract class DirectoryRef {

    static DirectoryRef of(String path, long directory, List<Long> parents) {
        return new AutoValue_DirectoryRef(path, directory, Collections.unmodifiableList(new ArrayList<>(parents)));
    }

    abstract String path();

    /** The number of its name, in its home. */
    abstract long directory();

    /** The numbers of the parts of the directory above, by group. */
    abstract List<Long> parents();

    final String name() {
        return HashedLayout.nameOf(path());
    }

    /** The path of a name beside the directory in a group. */
    final String beside(int group, String name) {
        return HashedLayout.byId(parents().get(group), name);
    }

    /** A group's copy, until it has its name. */
    final String waitingCopy(int group) {
        return beside(group, HashedLayout.copyOf(directory(), name()));
    }

    /** The place where a group has the directory's name or copy. */
    final String place(int group) {
        return beside(group, name());
    }

    /** The path of an entry in the directory's name. */
    final String in(String name) {
        return HashedLayout.byId(directory(), name);
    }

    final String contents() {
        return HashedLayout.contentsOf(HashedLayout.byId(directory()));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The paths of one group's nodes in ZooKeeper. Immutable. */
@AutoValue
abstract class GroupPaths {

    static GroupPaths of(String root) {
        return new AutoValue_GroupPaths(root);
    }

    abstract String root();

    /** The highest directory that belongs to Trefoil. */
    final String rootPath() {
        int end = root().indexOf('/', 1);
        return end < 0 ? root() : root().substring(0, end);
    }

    /** All directories that remain when there are no members, from the top down: members may have created those above the root as well. */
    final List<String> persistentPaths() {
        List<String> directories = new ArrayList<>();
        for (int end = root().indexOf('/', 1); end > 0; end = root().indexOf('/', end + 1)) {
            directories.add(root().substring(0, end));
        }
        directories.add(root());
        directories.add(members());
        directories.add(election());
        directories.add(history());
        directories.add(orders());
        return directories;
    }

    /** The path of the members, with one ephemeral node for each. */
    final String members() {
        return root() + "/members";
    }

    final String member(String name) {
        return members() + "/" + name;
    }

    /** Ephemeral: the lock of the active, or of the member that was elected. */
    final String lock() {
        return root() + "/lock";
    }

    /** The node of the last election. */
    final String election() {
        return root() + "/election";
    }

    /** Operators' standing orders about elections; absent before the first order. */
    final String orders() {
        return root() + "/orders";
    }

    final String history() {
        return root() + "/history";
    }

    final String history(long ballot) {
        return history() + "/" + String.format(Locale.ROOT, "%010d", ballot);
    }
}

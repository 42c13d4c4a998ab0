/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.progress.Amount;
import java.util.Collection;

/** A file or directory of a subtree, as it is at the source. Immutable. */
@AutoValue
public abstract class TreeNode {

    private static final String NO_CONTENT = "folder";

    /** @param id the inode's id at the source, which stays through renames */
    public static TreeNode newDirectory(long id, TreeNodeAttributes attributes) {
        return new AutoValue_TreeNode(id, true, NO_CONTENT, attributes);
    }

    /**
     * @param id the inode's id at the source, which stays through renames
     * @param content differs whenever the bytes of this file may differ
     */
    public static TreeNode newFile(long id, String content, TreeNodeAttributes attributes) {
        return new AutoValue_TreeNode(id, false, content, attributes);
    }

    public abstract long id();

    public abstract boolean isDirectory();

    /** The content, which together with the id identifies the bytes; the same for all directories. */
    public abstract String content();

    public abstract TreeNodeAttributes traits();

    /** The amount that the node counts for; a file has as many blocks as its length needs. */
    public final Amount amount() {
        if (isDirectory()) {
            return Amount.builder().directories(1).build();
        }
        long blockSize = Math.max(1, traits().blockSize());
        return Amount.builder()
                .files(1)
                .blocks((traits().length() + blockSize - 1) / blockSize)
                .build();
    }

    /** The amount that all of the nodes together count for. */
    public static Amount totalAmount(Collection<TreeNode> nodes) {
        return nodes.stream().map(TreeNode::amount).reduce(Amount.zero(), Amount::plus);
    }

    final boolean hasSameContent(TreeNode other) {
        return id() == other.id()
                && isDirectory() == other.isDirectory()
                && content().equals(other.content());
    }
}

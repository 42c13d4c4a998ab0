/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import io.trefoil.federation.move.progress.Amount;
import java.util.Collection;

/** A file or folder of a subtree, as the source has it. Immutable. */
@AutoValue
public abstract class TreeNode {

    private static final String NO_CONTENT = "folder";

    /** @param id the source's number of the folder, which stays through renames */
    public static TreeNode folder(long id, TreeNodeAttributes traits) {
        return new AutoValue_TreeNode(id, true, NO_CONTENT, traits);
    }

    /**
     * @param id the source's number of the file, which stays through renames
     * @param content differs whenever the bytes of this file may differ
     */
    public static TreeNode file(long id, String content, TreeNodeAttributes traits) {
        return new AutoValue_TreeNode(id, false, content, traits);
    }

    public abstract long id();

    public abstract boolean isFolder();

    /** The content, which together with the id tells the bytes; the same for all folders. */
    public abstract String content();

    public abstract TreeNodeAttributes traits();

    /** The amount that the node counts as; a file has as many blocks as its length needs. */
    public final Amount amount() {
        if (isFolder()) {
            return Amount.builder().folders(1).build();
        }
        long blockSize = Math.max(1, traits().blockSize());
        return Amount.builder()
                .files(1)
                .blocks((traits().length() + blockSize - 1) / blockSize)
                .build();
    }

    /** The amount that all of the nodes count as together. */
    public static Amount amount(Collection<TreeNode> nodes) {
        return nodes.stream().map(TreeNode::amount).reduce(Amount.none(), Amount::plus);
    }

    final boolean hasContentOf(TreeNode other) {
        return id() == other.id() && isFolder() == other.isFolder() && content().equals(other.content());
    }
}

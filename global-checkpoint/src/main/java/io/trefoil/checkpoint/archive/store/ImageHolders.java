/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.store;

import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The images that nodes of a pool hold, from which one is copied to the archive. */
public interface ImageHolders {

    /** An image and a node that holds it. Immutable. */
    final class ImageReplica {
        private final HeldImage image;
        private final NodeAddress node;

        public ImageReplica(HeldImage image, NodeAddress node) {
            this.image = image;
            this.node = node;
        }

        public HeldImage image() {
            return image;
        }

        public NodeAddress node() {
            return node;
        }
    }

    /** The committed edits of each node of the pool that answers, of any incarnation. */
    Map<NodeAddress, LogSummary> committedByNode() throws IOException;

    /** The committed edits of each node that answers and whose replica belongs to an incarnation. */
    default Map<NodeAddress, LogSummary> committedByNode(Incarnation incarnation) throws IOException {
        Map<NodeAddress, LogSummary> committed = new LinkedHashMap<>();
        committedByNode().forEach((node, log) -> {
            if (log.incarnation().equals(incarnation)) {
                committed.put(node, log);
            }
        });
        return committed;
    }

    /** The images that may be copied, the newest first. */
    List<ImageReplica> availableImages() throws IOException;

    /**
     * Has the file of one of them used, while it is on this host.
     *
     * @return what the use returns; false if the file is not to be had any more
     */
    boolean useFile(HeldImage image, FileUse use) throws IOException;

    /** Does something with a file. */
    interface FileUse {
        /** Returns whether it could use the file. */
        boolean use(Path file) throws IOException;
    }
}

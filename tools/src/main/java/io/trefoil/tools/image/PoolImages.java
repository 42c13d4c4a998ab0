/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The images that the nodes of a pool hold, and the nodes that hold the same one. */
public final class PoolImages {

    /** The holders of each image, by checksums: nodes that disagree about these do not hold the same file. */
    private final NavigableMap<ImageId, Map<Bytes, List<Holder>>> images = new TreeMap<>();

    /** The holders of images to which a rolling upgrade can be rolled back, by image. */
    private final NavigableMap<ImageId, Map<Bytes, List<Holder>>> rollbacks = new TreeMap<>();

    private final Map<NodeAddress, String> troubles = new LinkedHashMap<>();

    /** A node and what it reports about an image. */
    private static final class Holder {
        private final NodeAddress node;
        private final HeldImage image;

        Holder(NodeAddress node, HeldImage image) {
            this.node = node;
            this.image = image;
        }
    }

    private PoolImages() {}

    /** Queries the journal's nodes that answered before: a node that is down would use up the whole timeout again. */
    public static PoolImages of(PoolStatus status, PoolAdminClient adminClient) throws IOException {
        PoolImages found = new PoolImages();
        for (NodeStatus node : status.nodes()) {
            if (node.isDown()) {
                found.troubles.put(node.address(), node.failureReason());
            }
        }
        adminClient
                .query(status.reachableNodes(), ImagesRequest.create())
                .forEach((node, answer) -> found.add(node, answer, status.namespace()));
        return found;
    }

    private void add(NodeAddress node, NodeAnswer answer, NamespaceId namespace) {
        if (!answer.reply().isPresent()) {
            troubles.put(node, answer.failureReason());
        } else if (answer.reply().get() instanceof ImagesReply) {
            for (HeldImage image : ((ImagesReply) answer.reply().get()).images()) {
                if (image.belongsTo(namespace)) {
                    (image.isRollback() ? rollbacks : images)
                            .computeIfAbsent(image.id(), id -> new LinkedHashMap<>())
                            .computeIfAbsent(image.checksums(), checksums -> new ArrayList<>())
                            .add(new Holder(node, image));
                }
            }
        } else if (!(answer.reply().get() instanceof NotFormattedReply)) {
            troubles.put(node, answer.reply().get().describe());
        }
    }

    /** Returns why some nodes did not report their images. */
    public Map<NodeAddress, String> failuresByNode() {
        return Collections.unmodifiableMap(troubles);
    }

    /** The ids of the images, newest first. */
    public List<ImageId> ids() {
        return new ArrayList<>(images.descendingKeySet());
    }

    /** The newest image held by a node to which a rolling upgrade can be rolled back. */
    Optional<ImageId> newestRollbackImage(NodeAddress node) {
        for (ImageId id : rollbacks.descendingKeySet()) {
            if (nodes(id).contains(node)) {
                return Optional.of(id);
            }
        }
        return Optional.empty();
    }

    boolean hasRollbackImage() {
        return !rollbacks.isEmpty();
    }

    /** Returns the reports about an image that is one of {@link #ids}. */
    public HeldImage image(ImageId id) {
        return holders(id).get(0).image;
    }

    /** The nodes that hold the image and agree about its checksums. */
    public List<NodeAddress> nodes(ImageId id) {
        List<NodeAddress> nodes = new ArrayList<>();
        holders(id).forEach(holder -> nodes.add(holder.node));
        return nodes;
    }

    /** The holders of an image. If they disagree, the largest group that agrees; the digest will show which nodes are right. */
    private List<Holder> holders(ImageId id) {
        List<Holder> most = Collections.emptyList();
        for (List<Holder> some :
                (images.containsKey(id) ? images : rollbacks).get(id).values()) {
            most = some.size() > most.size() ? some : most;
        }
        return most;
    }

    /** Describes the images, for messages. */
    String text() {
        if (images.isEmpty()) {
            return "no image" + (troubles.isEmpty() ? "" : ", as far as is known: " + troubles);
        }
        List<String> words = new ArrayList<>();
        ids().forEach(id -> words.add(id.txId() + " at " + nodes(id)));
        return "images of transactions " + String.join(", ", words);
    }
}

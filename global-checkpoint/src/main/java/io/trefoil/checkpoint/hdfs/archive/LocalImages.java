/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import io.trefoil.checkpoint.archive.store.ImageHolders;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.storage.image.ImageSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The images that the pool node in a NameNode's process holds: they are in its name directories, and need no room on their way. Used by
 * one thread.
 */
final class LocalImages implements ImageHolders {

    private final PoolAdminClient inquiry;
    private final List<NodeAddress> addresses;
    private final NodeAddress own;
    private final NamespaceId namespace;
    private final List<ImageSource> directories = new ArrayList<>();

    LocalImages(
            PoolAdminClient inquiry,
            List<NodeAddress> addresses,
            NodeAddress own,
            NamespaceId namespace,
            List<Path> nameDirectories) {
        this.inquiry = inquiry;
        this.addresses = addresses;
        this.own = own;
        this.namespace = namespace;
        nameDirectories.forEach(directory -> directories.add(new ImageSource(directory)));
    }

    @Override
    public Map<NodeAddress, LogSummary> committedByNode() throws IOException {
        Map<NodeAddress, LogSummary> committed = new LinkedHashMap<>();
        inquiry.query(addresses, StatusRequest.create()).forEach((node, answer) -> answer.reply()
                .filter(StatusReply.class::isInstance)
                .ifPresent(reply -> committed.put(node, ((StatusReply) reply).committedSummary())));
        return committed;
    }

    @Override
    public List<ImageReplica> availableImages() throws IOException {
        NodeAnswer answer = inquiry.query(Collections.singleton(own), ImagesRequest.create())
                .get(own);
        if (!answer.reply().filter(ImagesReply.class::isInstance).isPresent()) {
            throw new IOException("Pool node " + own + " of this process does not say which images it holds: "
                    + answer.reply().map(reply -> reply.describe()).orElse(answer.failureReason()));
        }
        List<ImageReplica> held = new ArrayList<>();
        for (HeldImage image : ((ImagesReply) answer.reply().get()).images()) {
            if (image.belongsTo(namespace) && !image.isRollback()) {
                held.add(0, new ImageReplica(image, own));
            }
        }
        return held;
    }

    @Override
    public boolean useFile(HeldImage image, FileUse use) throws IOException {
        for (ImageSource directory : directories) {
            for (Map.Entry<ImageId, Path> file : directory.images().entrySet()) {
                if (file.getKey().equals(image.id())) {
                    return use.use(file.getValue());
                }
            }
        }
        // HDFS has deleted its name for it, as there is a newer one.
        return false;
    }
}

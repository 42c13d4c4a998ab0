/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.store.ImageHolders;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.image.FetchedImage;
import io.trefoil.tools.image.PoolImages;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.NodeStatus;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The images of all nodes of a pool, fetched into a directory of this host on their way. */
final class FetchedImages implements ImageHolders {

    private final JournalOptions options;
    private final JournalLocation place;
    private final Path work;

    FetchedImages(JournalOptions options, JournalLocation place, Path work) {
        this.options = options;
        this.place = place;
        // What is in it is deleted; never anything that is not ours.
        this.work = work.resolve("trefoil-archive-" + place.journal().text());
    }

    @Override
    public Map<NodeAddress, LogSummary> committedByNode() throws IOException {
        Map<NodeAddress, LogSummary> committed = new LinkedHashMap<>();
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            for (NodeStatus node : survey(inquiry).nodes()) {
                node.reply().ifPresent(status -> committed.put(node.address(), status.committedSummary()));
            }
        }
        return committed;
    }

    private PoolStatus survey(PoolAdminClient inquiry) throws IOException {
        return PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
    }

    @Override
    public List<ImageReplica> availableImages() throws IOException {
        List<ImageReplica> held = new ArrayList<>();
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            PoolImages images = PoolImages.of(survey(inquiry), inquiry);
            for (ImageId id : images.ids()) {
                images.nodes(id).forEach(node -> held.add(new ImageReplica(images.image(id), node)));
            }
        }
        return held;
    }

    @Override
    public boolean useFile(HeldImage image, FileUse use) throws IOException {
        clear();
        try (PoolAdminClient patient = options.openPatientAdminClient(place)) {
            PoolImages images = PoolImages.of(survey(patient), patient);
            if (!images.ids().contains(image.id())) {
                return false;
            }
            FetchedImage.fetch(patient, images, image.id(), work, Progress.SILENT);
        }
        boolean used = use.use(work.resolve("current").resolve(image.fileName()));
        clear();
        return used;
    }

    /** Deletes the remains of an image, but not the lock of another process. */
    private void clear() throws IOException {
        new WorkDirectory(work, "current").clear();
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.pool.image.ImageFetcher;
import io.trefoil.journal.storage.image.ImageTarget;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An image that was fetched from the pool into a name directory, or was already there. */
public final class FetchedImage {

    private final HeldImage image;
    private final Path directory;
    private final int partsBefore;
    private final Map<NodeAddress, Long> partsGiven;
    private final Map<NodeAddress, List<String>> troubles;

    private FetchedImage(Path directory, HeldImage image, Optional<ImageFetcher> fetch) {
        this.image = image;
        this.directory = directory;
        this.partsBefore = fetch.map(ImageFetcher::alreadyPresentPartCount).orElse(image.partCount());
        this.partsGiven = fetch.map(ImageFetcher::partsByNode).orElse(Collections.emptyMap());
        this.troubles = fetch.map(ImageFetcher::failuresByNode).orElse(Collections.emptyMap());
    }

    /** @throws IOException if the image cannot be fetched or stored; the text says what is already there */
    public static FetchedImage fetch(
            PoolAdminClient adminClient, PoolImages images, ImageId id, Path directory, Progress progress)
            throws IOException {
        HeldImage image = images.image(id);
        try (ImageTarget target = ImageTarget.open(directory, image)) {
            if (target.isComplete()) {
                return new FetchedImage(directory, image, Optional.empty());
            }
            ImageFetcher fetch = new ImageFetcher(adminClient, image, images.nodes(id), target);
            try (Progress.Task task = progress.begin("fetch", "MiB")) {
                task.reportTotal(image.partCount() - fetch.alreadyPresentPartCount());
                fetch.setPartWatcher(parts -> task.reportDone(parts - fetch.alreadyPresentPartCount()));
                fetch.run();
            }
            target.finish();
            return new FetchedImage(directory, image, Optional.of(fetch));
        }
    }

    /** Copies the image into another name directory. */
    FetchedImage copyTo(Path otherPath) throws IOException {
        try (ImageTarget target = ImageTarget.open(otherPath, image)) {
            if (!target.isComplete()) {
                target.copy(directory);
                target.finish();
            }
        }
        return new FetchedImage(otherPath, image, Optional.empty());
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append("The ").append(image).append(", is in ").append(directory).append('\n');
        if (partsGiven.isEmpty()) {
            return text.toString();
        }
        text.append(image.partCount()).append(image.partCount() == 1 ? " part" : " parts");
        if (partsBefore > 0) {
            text.append(", ").append(partsBefore).append(" of them from an earlier try");
        }
        partsGiven.forEach((node, parts) ->
                text.append("; ").append(parts).append(" from ").append(node));
        text.append('\n');
        troubles.forEach(
                (node, whys) -> text.append(node).append(": ").append(whys).append('\n'));
        return text.toString();
    }

    Map<String, Object> json() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", image.id().txId());
        object.put("bytes", image.id().length());
        object.put("md5", image.id().md5());
        object.put("to", directory.toString());
        object.put("parts", image.partCount());
        object.put("partsBefore", partsBefore);
        Map<String, Object> given = new LinkedHashMap<>();
        partsGiven.forEach((node, parts) -> given.put(node.toString(), parts));
        object.put("partsFrom", given);
        return object;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trefoil image fetch}: fetches an image from the pool. */
@Command(
        name = "fetch",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Fetches an image into a directory that a NameNode can start from, and hdfs oiv can read: from all "
                    + "nodes that hold it at once, each part checked. If interrupted, it goes on where it was "
                    + "when it is run again.",
            "Changes nothing that is in the directory. Refuses a directory of another namespace, or of a running "
                    + "NameNode."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the image is there",
            "1:refused or failed; the output says why",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil image fetch --to /backup/image",
            "  hdfs trefoil image fetch --to /backup/image --txid 4711"
        })
public final class ImageFetchCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description =
                    "A name directory: the image goes to its directory \"current\". Created if it does not " + "exist.")
    private Path to;

    @Option(
            names = "--txid",
            paramLabel = "TXID",
            description = "The image of this transaction; the newest if not given.")
    private Long txId;

    public ImageFetchCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        try (PoolAdminClient inquiry = options.openAdminClient(place);
                PoolAdminClient patient = options.openPatientAdminClient(place)) {
            PoolImages images = PoolImages.of(PoolSurvey.of(place, inquiry, Long.MAX_VALUE), inquiry);
            FetchedImage fetched = FetchedImage.fetch(patient, images, chooseImage(images), to, options.progress());
            options.print(fetched::json, fetched::text);
        }
        return ExitCode.FINE;
    }

    private ImageId chooseImage(PoolImages images) throws IOException {
        return images.ids().stream()
                .filter(id -> txId == null || txId == id.txId())
                .findFirst()
                .orElseThrow(() -> new IOException("Wanted "
                        + (txId == null ? "an image" : "the image of transaction " + txId) + ", the pool has "
                        + images.text()));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil image list}: lists the images that nodes hold. */
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Asks every pool node which images of the namespace it holds. Changes nothing.",
            "Images of one transaction that two NameNodes saved may differ; a line is one file, by its MD5."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:there is an image, and every node said what it holds",
            "1:there is none, or a node did not say",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil image list"})
public final class ImageListCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    public ImageListCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            PoolImages images = PoolImages.of(PoolSurvey.of(place, inquiry, Long.MAX_VALUE), inquiry);
            options.print(() -> json(images), () -> table(images));
            return images.ids().isEmpty() || !images.failuresByNode().isEmpty() ? ExitCode.FINDING : ExitCode.FINE;
        }
    }

    private static String table(PoolImages images) {
        Table table = new Table("TXID", "BYTES", "MD5", "HELD BY");
        for (ImageId id : images.ids()) {
            table.row(Long.toString(id.txId()), Long.toString(id.length()), id.md5(), nodes(images, id));
        }
        StringBuilder text = new StringBuilder(table.toString());
        images.failuresByNode().forEach((node, reason) -> text.append(node)
                .append(" does not say what it holds: ")
                .append(reason)
                .append('\n'));
        if (images.ids().isEmpty()) {
            text.append("no image; a NameNode's checkpoint, or hdfs dfsadmin -saveNamespace, makes one\n");
        }
        return text.toString();
    }

    private static String nodes(PoolImages images, ImageId id) {
        return images.nodes(id).stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    private static Map<String, Object> json(PoolImages images) {
        List<Object> list = new ArrayList<>();
        for (ImageId id : images.ids()) {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("txId", id.txId());
            fields.put("bytes", id.length());
            fields.put("md5", id.md5());
            fields.put("nodes", images.nodes(id).stream().map(String::valueOf).collect(Collectors.toList()));
            list.add(fields);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("images", list);
        Map<String, Object> troubles = new LinkedHashMap<>();
        images.failuresByNode().forEach((node, reason) -> troubles.put(node.toString(), reason));
        object.put("troubles", troubles);
        return object;
    }
}

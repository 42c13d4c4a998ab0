/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.foundation.Progress;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil archive verify}: reads everything that an archive has. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description =
                "Reads every object of the archive of a journal, and compares it with its checksums. Changes nothing.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is damaged",
            "1:something is, and the output says what; or the archive cannot be read",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil archive verify --dir s3a://backup/hdfs"})
final class VerifyCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    VerifyCommand(Installation installation) {
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        ArchiveReader reader = archive.openReader(options.find().journal());
        List<String> damaged;
        try (Progress.Task task = options.progress().begin("verify", "objects")) {
            damaged = reader.verify(task);
        }
        options.print(() -> json(damaged), () -> text(damaged));
        return damaged.isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private static String text(List<String> damaged) {
        StringBuilder text = new StringBuilder();
        damaged.forEach(one -> text.append(one).append('\n'));
        return text.append(
                        damaged.isEmpty()
                                ? "every object has what was written to it\n"
                                : damaged.size()
                                        + " damaged: move them out of the archive, then \"archive list\" says what is left\n")
                .toString();
    }

    private static Map<String, Object> json(List<String> damaged) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("damaged", new ArrayList<Object>(damaged));
        return object;
    }
}

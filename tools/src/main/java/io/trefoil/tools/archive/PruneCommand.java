/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveRetention;
import io.trefoil.checkpoint.archive.store.ArchiveIdentity;
import io.trefoil.checkpoint.archive.store.ArchivePruner;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.journal.model.JournalId;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.TimeOption;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code trefoil archive prune}: deletes the objects that no instant within a time needs. */
@Command(
        name = "prune",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Lists the objects of the archive of a journal that no instant within a time needs; with --execute it deletes them. Any"
                    + " instant since, and any transaction committed since, can be had as before.",
            "The two newest images and the edits since always stay, however old they are. Nothing goes while something is damaged. May"
                    + " run while the archive is written and read."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing may go, or it is gone",
            "1:there is something that may go, without --execute; or the archive cannot be read, or something is damaged",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive prune --dir s3a://backup/hdfs --retention 30d",
            "  hdfs trefoil archive prune --dir s3a://backup/hdfs --retention 30d --execute"
        })
final class PruneCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Option(
            names = "--retention",
            required = true,
            paramLabel = "TIME",
            description = "For how long instants can be had, as 12h, 30d.")
    private String retention;

    @Option(names = "--execute", description = "Do it.")
    private boolean execute;

    @Spec
    private CommandSpec command;

    PruneCommand(Installation installation) {
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        Duration kept = TimeOption.parse(command, "--retention", retention);
        JournalId journal = options.find().journal();
        ArchiveStore store = archive.openStore(journal.text());
        ArchiveIdentity.require(store, journal);
        ArchivePruner pruner = new ArchivePruner(store);
        ArchivePruner.Plan plan = pruner.plan(kept, System.currentTimeMillis());
        if (execute) {
            pruner.carryOut(plan);
        }
        options.print(() -> json(plan), () -> text(plan));
        return execute || plan.objectsToDelete().isEmpty() ? ExitCode.FINE : ExitCode.FINDING;
    }

    private String text(ArchivePruner.Plan plan) {
        if (!plan.cutMillis().isPresent()) {
            return "nothing to delete: there are fewer than " + ArchiveRetention.MIN_IMAGES + " images\n";
        }
        String from = "instants from " + Instant.ofEpochMilli(plan.cutMillis().get()) + " on stay";
        if (plan.objectsToDelete().isEmpty()) {
            return "nothing to delete: " + from + "\n";
        }
        StringBuilder text = new StringBuilder();
        plan.objectsToDelete().forEach(one -> text.append(one).append('\n'));
        return text.append(plan.objectsToDelete().size())
                .append(plan.objectsToDelete().size() == 1 ? " object" : " objects")
                .append(execute ? " deleted; " : "; ")
                .append(from)
                .append(execute ? "\n" : "\ndry run, nothing was changed; --execute does it\n")
                .toString();
    }

    private Map<String, Object> json(ArchivePruner.Plan plan) {
        Map<String, Object> object = new LinkedHashMap<>();
        plan.cutMillis().ifPresent(cut -> object.put("fromMillis", cut));
        object.put("objects", new ArrayList<Object>(plan.objectsToDelete()));
        object.put("executed", execute);
        return object;
    }
}

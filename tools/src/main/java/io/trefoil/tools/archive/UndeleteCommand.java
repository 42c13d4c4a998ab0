/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ServedNamespace;
import io.trefoil.checkpoint.hdfs.undelete.Undelete;
import io.trefoil.checkpoint.undelete.UndeleteAction;
import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.foundation.Progress;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.Table;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code trefoil archive undelete}: brings back a file or a directory as it was, while everything runs. */
@Command(
        name = "undelete",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Brings a file, or a directory with all below it, back as it was at a time or after a transaction, while everything runs: names,"
                    + " owners, permissions, times, ACLs, extended attributes, quotas, and the bytes of files that the trash or a"
                    + " snapshot still has. Lists what it would do for each path, and what cannot be had; --execute does it.",
            "What is there is never touched or replaced; below a directory that has another owner, group, permission or ACL now, nothing"
                    + " is put back. A step that fails is listed, and the others are done. Interrupted, it is run again and goes on. Serves that namespace in this process, as mount does"
                    + " (HADOOP_CLIENT_OPTS=-Xmx...). Needs HDFS's superuser."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all of it is there, or would be",
            "1:something cannot be had, something else is in the way or differs, or something failed: the output says which",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive undelete --dir s3a://backup/hdfs --work /data/1/tmp --at 2026-11-28T12:00:03Z /logs/old",
            "  hdfs trefoil archive undelete --dir s3a://backup/hdfs --work /data/1/tmp --txid 90210 --execute /logs/old"
        })
final class UndeleteCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Mixin
    private final InstantOptions instant;

    @Mixin
    private final WorkDirectoryOptions work = new WorkDirectoryOptions();

    @Option(names = "--execute", description = "Do it.")
    private boolean execute;

    @Option(
            names = "--copy-renamed",
            description = "Copy files that were renamed since from where they are now; they stay there.")
    private boolean copyRenamed;

    @Parameters(paramLabel = "PATH", description = "A path of the namespace, from / on.")
    private String path;

    @Spec
    private CommandSpec command;

    private final Installation installation;

    UndeleteCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
        instant = new InstantOptions();
    }

    @Override
    public Integer call() throws IOException {
        if (!path.startsWith("/")) {
            throw new ParameterException(command.commandLine(), "PATH is a path from / on; got " + path);
        }
        if (!instant.isChosen()) {
            throw new ParameterException(
                    command.commandLine(), "Wanted --at or --txid: an instant at which it was there");
        }
        JournalLocation place = options.find();
        String nameservice = nameserviceOf(place);
        ArchiveReader reader = archive.openReader(place.journal());
        NamespaceRecipe recipe = instant.choose(reader.contents(), archive);
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return FetchedNamespace.withFetched(reader, recipe, work.directory(), options.progress(), directory -> {
            try (ServedNamespace served = installation.serve(directory, anyPort, anyPort);
                    Undelete undelete = installation.openUndelete(nameservice, served)) {
                return run(undelete, recipe);
            }
        });
    }

    private int run(Undelete undelete, NamespaceRecipe recipe) throws IOException {
        List<UndeleteStep> planned = undelete.plan(path, UndeleteOptions.of(copyRenamed));
        List<UndeleteStep> steps = execute ? execute(undelete, planned) : planned;
        options.print(() -> json(recipe, steps), () -> text(recipe, steps));
        return steps.stream().anyMatch(step -> step.action().isFinding()) ? ExitCode.FINDING : ExitCode.FINE;
    }

    private List<UndeleteStep> execute(Undelete undelete, List<UndeleteStep> steps) {
        try (Progress.Task task = options.progress().begin("undelete", "paths")) {
            return undelete.execute(steps, task);
        }
    }

    /** The nameservice whose NameNodes have the journal. */
    private String nameserviceOf(JournalLocation place) {
        for (NameNodeGroup group : installation.nameNodes().all()) {
            for (String nameNode : group.webAddresses().keySet()) {
                Optional<JournalLocation> journal = installation.journalOf(group.nameservice(), nameNode);
                if (journal.isPresent() && journal.get().journal().equals(place.journal())) {
                    return group.nameservice();
                }
            }
        }
        throw new ParameterException(
                command.commandLine(),
                "Wanted a nameservice of the configuration whose NameNodes have journal " + place.journal()
                        + ", found none");
    }

    private String text(NamespaceRecipe recipe, List<UndeleteStep> steps) {
        Table table = new Table("ACTION", "PATH", "WHY");
        for (UndeleteStep step : steps) {
            table.row(
                    step.action().name().toLowerCase(Locale.ROOT),
                    step.past().path(),
                    step.reason() + step.source().map(source -> ": " + source).orElse(""));
        }
        return "after transaction " + recipe.target().txId() + "\n" + instant.text(recipe) + table
                + count(steps, UndeleteAction::isChange) + (execute ? " done, " : " to be done, ")
                + count(steps, action -> action == UndeleteAction.SKIP) + " there already, "
                + count(steps, UndeleteAction::isFinding) + " not brought back\n"
                + (execute ? "" : "dry run, nothing was changed; --execute does it\n");
    }

    private static long count(List<UndeleteStep> steps, Predicate<UndeleteAction> which) {
        return steps.stream().filter(step -> which.test(step.action())).count();
    }

    private Map<String, Object> json(NamespaceRecipe recipe, List<UndeleteStep> steps) {
        List<Object> paths = new ArrayList<>();
        for (UndeleteStep step : steps) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("path", step.past().path());
            one.put("action", step.action().name().toLowerCase(Locale.ROOT));
            step.source().ifPresent(source -> one.put("source", source));
            one.put("reason", step.reason());
            paths.add(one);
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", recipe.target().txId());
        instant.addTo(object, recipe);
        object.put("executed", execute);
        object.put("paths", paths);
        return object;
    }
}

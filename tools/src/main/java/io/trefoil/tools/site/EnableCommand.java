/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil enable}: writes the journal's properties into an {@code hdfs-site.xml}. */
@Command(
        name = "enable",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Adds to hdfs-site.xml what its NameNodes need to keep the journal themselves: one block before the end of the"
                    + " file. Everything else stays as it is, and \"disable\" removes the block again. Changes nothing without"
                    + " --execute.",
            "Only writes the file, on this host. To move a cluster that has edits elsewhere, see "
                    + "docs/operating/migrate.md."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the change was shown or made, or the file has it",
            "1:the file could not be read or written; it is unchanged",
            "2:the command line or the file is wrong; it is unchanged"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil enable --journal-dir /data/1/ssp --automatic-failover",
            "  hdfs trefoil enable --journal-dir /data/1/ssp --automatic-failover --execute"
        })
public final class EnableCommand implements Callable<Integer> {
    private static final int MAX_PORT = 65_535;

    @Mixin
    private SiteOptions options;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--journal-dir",
            paramLabel = "DIR",
            required = true,
            description =
                    "Where each host of a NameNode keeps the journal: trefoil.journal.dir, on a disk that syncs fast.")
    private Path directory;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            defaultValue = "8487",
            description = "The port of the pool nodes; ${DEFAULT-VALUE} if not given.")
    private int port;

    @Option(
            names = "--automatic-failover",
            description = "Have the NameNodes fail over by themselves; no ZKFC " + "runs.")
    private boolean automatic;

    @Option(names = "--smart-client", description = "Have clients use our proxy provider; they need its jar.")
    private boolean smart;

    @Override
    public Integer call() throws IOException {
        if (!directory.isAbsolute()) {
            throw new ParameterException(spec.commandLine(), "--journal-dir begins with a slash, got " + directory);
        }
        if (port < 1 || port > MAX_PORT) {
            throw new ParameterException(spec.commandLine(), "--port is between 1 and 65535, got " + port);
        }
        List<String> notes = new ArrayList<>();
        return options.change(text -> withJournal(text, notes), "already has the journal", notes);
    }

    private SiteText withJournal(SiteText text, List<String> notes) {
        SiteProperties site = SiteProperties.parse(text.withoutBlock().toString());
        JournalProperties properties = JournalProperties.of(site, directory, port);
        if (automatic) {
            properties = properties.withAutomaticFailover();
        }
        if (smart) {
            properties = properties.withSmartClient();
        }
        notes.addAll(properties.notes());
        SiteText next = text.withBlock(properties.all());
        // The file is the operator's: never write what would be read differently than meant, or could not be taken
        // back.
        SiteProperties read = SiteProperties.parse(next.toString());
        if (!read.values().entrySet().containsAll(properties.all().entrySet())
                || !next.withoutBlock().toString().equals(text.withoutBlock().toString())) {
            throw new IllegalStateException("the block would not be read as it was written: " + next);
        }
        return next;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.ArchiveContents;
import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.NoSuchInstantException;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.RestoredDirectory;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.tools.checkpoint.text.TimeFormats;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil archive restore}: makes a name directory for a cluster that has lost its NameNodes, or goes back to an instant. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes a name directory from which the NameNodes of a nameservice begin again, with the DataNodes that it"
                    + " had, after all of them were lost or to go back to an instant: as fetch does, and then its ids of"
                    + " blocks and files and its generation stamps are raised above all that the archive knows to be"
                    + " assigned. Loads the namespace in this process (HADOOP_CLIENT_OPTS=-Xmx...).",
            "Refuses while a NameNode of the nameservice answers or accepts connections, while another name or edits"
                    + " directory of this host's NameNode has a namespace or edits, and if --undo would not find what it"
                    + " needs. If the directory has a namespace, it says what it would do, and changes nothing; with"
                    + " --execute it has the archive hold all that the pool has committed, and moves that namespace aside."
                    + " What was written after the instant is only in the archive then, and DataNodes delete its blocks"
                    + " when they report to such a NameNode."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the name directory is made; or, without --execute, it would be",
            "1:refused or failed, and what there was is still there; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil archive restore --dir s3a://backup/hdfs --to /data/1/nn",
            "  hdfs trefoil archive restore --dir s3a://backup/hdfs --to /data/1/nn --at 2026-11-28T12:00:03Z"
                    + " --execute",
            "  hdfs trefoil archive restore --dir s3a://backup/hdfs --to /data/1/nn --undo --execute"
        })
final class RestoreCommand implements Callable<Integer> {

    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final String STATUS = "Hadoop:service=NameNode,name=NameNodeStatus";

    @Mixin
    private final JournalOptions options;

    @Mixin
    private final ArchiveOptions archive;

    @Mixin
    private final InstantOptions instant;

    @Option(
            names = "--to",
            required = true,
            paramLabel = "DIR",
            description = "The name directory of this host's NameNode.")
    private Path to;

    @Option(
            names = "--execute",
            description =
                    "Move the namespace aside that is in the directory. Without it, such a directory is left as it is.")
    private boolean execute;

    @Option(
            names = "--undo",
            description =
                    "The last namespace from before the restore that made the one in the directory: the end of the"
                            + " journal that it took the place of.")
    private boolean undo;

    @Spec
    private CommandSpec command;

    private final Installation installation;

    RestoreCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
        instant = new InstantOptions();
    }

    @Override
    public Integer call() throws IOException {
        if (undo && instant.isChosen()) {
            throw new ParameterException(command.commandLine(), "Wanted --undo or an instant, found both");
        }
        JournalLocation place = options.find();
        requireStopped(place);
        requireOnlyDirectory();
        RestoredDirectory directory = new RestoredDirectory(to);
        boolean hasNamespace = directory.hasNamespace();
        if (hasNamespace && execute) {
            completeArchive(place);
        }
        ArchiveReader reader = archive.openReader(place.journal());
        ArchiveContents contents = reader.contents();
        NamespaceRecipe recipe = undo ? chooseForUndo(contents, directory) : instant.choose(contents, archive);
        Optional<String> undoObstacle = hasNamespace ? findUndoObstacle(contents) : Optional.<String>empty();
        if (undoObstacle.isPresent() && !undo) {
            throw new IOException("It could not be undone: " + undoObstacle.get()
                    + ". Have an image copied with archive write first, which takes one that a pool node holds; or, to"
                    + " do without --undo, move " + to.resolve("current") + " aside yourself. Nothing was changed");
        }
        if (hasNamespace && !execute) {
            options.print(
                    () -> json(recipe, Optional.empty(), undoObstacle, true), () -> dryRunText(recipe, undoObstacle));
            return ExitCode.FINE;
        }
        Optional<Path> before;
        try (Progress.Task task = options.progress().begin("fetch", "transactions")) {
            before = directory.install(
                    reader,
                    recipe,
                    contents.sequencesByIncarnation().lastKey(),
                    ".before-archive-restore-" + TimeFormats.formatForBackup(Instant.now()),
                    installation::countersOf,
                    installation::reserveIds,
                    task);
        }
        options.print(() -> json(recipe, before, undoObstacle, false), () -> text(recipe, before, undoObstacle));
        return ExitCode.FINE;
    }

    /** Completes the archive: the namespace to be replaced can be restored again only if the archive has all of it. */
    private void completeArchive(JournalLocation place) throws IOException {
        try {
            JournalArchiver.writeAll(new JournalArchiver(
                            installation,
                            options,
                            place,
                            archive.openStore(place.journal().text()))
                    .newWriter());
        } catch (IOException e) {
            throw new IOException(
                    "The archive may lack what the pool has committed, and cannot be completed: " + e.getMessage()
                            + ". Start the pool nodes; or, if they are lost, move " + to.resolve("current")
                            + " aside yourself. Nothing was changed",
                    e);
        }
    }

    /** Returns why the last namespace of the present journal could not be restored again from the archive; empty if it could. */
    private static Optional<String> findUndoObstacle(ArchiveContents contents) {
        try {
            contents.lastNamespaceOf(contents.sequencesByIncarnation().lastKey());
            return Optional.empty();
        } catch (NoSuchInstantException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * Requires that the NameNode has no other directory: HDFS begins with the newest of its directories, which would be one
     * that is not restored.
     */
    private void requireOnlyDirectory() throws IOException {
        List<Path> others = new ArrayList<>();
        for (Path other : installation.storageDirectories(options.localNameNode())) {
            if (Files.exists(other.resolve("current")) && !isSame(other, to) && !others.contains(other)) {
                others.add(other);
            }
        }
        if (!others.isEmpty()) {
            throw new IOException("This host's NameNode has a namespace or edits also in " + others
                    + ", with which it would go on: move current aside in each on this host, and copy the restored one"
                    + " there afterwards; nothing was changed");
        }
    }

    private static boolean isSame(Path a, Path b) throws IOException {
        return a.toAbsolutePath().normalize().equals(b.toAbsolutePath().normalize())
                || (Files.exists(a) && Files.exists(b) && Files.isSameFile(a, b));
    }

    private NamespaceRecipe chooseForUndo(ArchiveContents contents, RestoredDirectory directory) throws IOException {
        Incarnation replaced = directory
                .replacedIncarnation()
                .orElseThrow(() -> new IOException("The namespace in " + to
                        + " was not made by a restore from an archive: there is nothing to undo; nothing was changed"));
        try {
            return contents.lastNamespaceOf(replaced);
        } catch (NoSuchInstantException e) {
            throw new IOException(e.getMessage() + "; nothing was changed", e);
        }
    }

    private void requireStopped(JournalLocation place) throws IOException {
        for (NameNodeGroup group : installation.nameNodes().all()) {
            for (Map.Entry<String, String> nameNode : group.webAddresses().entrySet()) {
                Optional<JournalLocation> journal = installation.journalOf(group.nameservice(), nameNode.getKey());
                boolean isOurs = journal.isPresent() && journal.get().journal().equals(place.journal());
                if (isOurs) {
                    requireLost(nameNode.getKey() + " of " + group.nameservice(), nameNode.getValue());
                }
            }
        }
    }

    private void requireLost(String nameNode, String webAddress) throws IOException {
        boolean isAnswering = isAnswering(webAddress);
        if (isAnswering || installation.nameNodes().isListening(webAddress, TIMEOUT)) {
            throw new IOException("NameNode " + nameNode
                    + (isAnswering ? " answers at " : " accepts connections at ")
                    + webAddress
                    + ": its namespace is not lost. To go back to an instant, stop all of its NameNodes"
                    + " first; nothing was changed");
        }
    }

    private boolean isAnswering(String webAddress) {
        try {
            installation.nameNodes().fetchBean(webAddress, STATUS, TIMEOUT);
            return true;
        } catch (ConnectException | NoRouteToHostException | SocketTimeoutException | UnknownHostException e) {
            return false;
        } catch (IOException e) {
            // A process answers there.
            return true;
        }
    }

    private String dryRunText(NamespaceRecipe recipe, Optional<String> undoObstacle) {
        return "dry run, nothing was changed; --execute does it\n"
                + "The namespace after transaction " + recipe.target().txId() + " would be in " + to
                + ", and the one that is there beside it\n"
                + instant.text(recipe)
                + "What the pool has committed after it would be in the archive, and nowhere else\n"
                + text(undoObstacle);
    }

    private static String text(Optional<String> undoObstacle) {
        return undoObstacle
                .map(why -> "This undo cannot itself be undone from the archive: " + why + "\n")
                .orElse("");
    }

    private String text(NamespaceRecipe recipe, Optional<Path> before, Optional<String> undoObstacle) {
        return "The namespace after transaction " + recipe.target().txId() + " is in " + to
                + ", with ids of blocks and files that were never assigned before\n"
                + instant.text(recipe)
                + before.map(path -> "What was there is now " + path + "\n").orElse("")
                + text(undoObstacle)
                + "Next: hdfs namenode -initializeSharedEdits"
                + (before.isPresent() ? " -force" : "")
                + ", and start this host's NameNode\n";
    }

    private Map<String, Object> json(
            NamespaceRecipe recipe, Optional<Path> before, Optional<String> undoObstacle, boolean isDryRun) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", recipe.target().txId());
        object.put("to", to.toString());
        object.put("dryRun", isDryRun);
        before.ifPresent(path -> object.put("movedAside", path.toString()));
        undoObstacle.ifPresent(why -> object.put("undoObstacle", why));
        instant.addTo(object, recipe);
        return object;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.NamespaceRecipe;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.hdfs.archive.PastNamespace;
import io.trefoil.foundation.Progress;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code trefoil archive restore}: a name directory for a cluster that has lost its NameNodes. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes a name directory from which the NameNodes of a nameservice begin again after all of them were lost, with the DataNodes"
                    + " that it had: as fetch does, and then its ids of blocks and files and its generation stamps are raised above all that"
                    + " the lost NameNodes may have assigned. Loads the namespace in this process (HADOOP_CLIENT_OPTS=-Xmx...).",
            "Refuses while a NameNode of the nameservice answers, and a directory that has a namespace. What was written after that instant"
                    + " is lost, and DataNodes delete its blocks when they report to such a NameNode."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the name directory is there",
            "1:refused or failed, and there is none; the output says why",
            "2:the command line or the configuration is wrong"
        },
        footer = {"", "Examples:", "  hdfs trefoil archive restore --dir s3a://backup/hdfs --to /data/1/nn"})
final class RestoreCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(3);
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
            description = "The name directory of this host's NameNode: its folder \"current\" must not be there yet.")
    private Path to;

    private final Installation installation;

    RestoreCommand(Installation installation) {
        this.installation = installation;
        options = new JournalOptions(installation);
        archive = new ArchiveOptions(installation);
        instant = new InstantOptions();
    }

    @Override
    public Integer call() throws IOException {
        JournalLocation place = options.find();
        requireStopped(place);
        ArchiveReader reader = archive.reader(place.journal());
        NamespaceRecipe recipe = instant.choose(reader.contents());
        WorkDirectory current = new WorkDirectory(to, "current");
        NamespaceCounters used;
        try (Progress.Task task = options.progress().begin("fetch", "transactions")) {
            used = PastNamespace.write(reader, recipe, to, task);
        }
        try {
            installation.prepareSuccessor(to, used);
        } catch (IOException | RuntimeException e) {
            // A NameNode that began from it as it is would assign ids a second time.
            current.clear();
            throw e;
        }
        options.print(() -> json(recipe), () -> text(recipe));
        return ExitCode.FINE;
    }

    private void requireStopped(JournalLocation place) throws IOException {
        for (NameNodeGroup group : installation.nameNodes().all()) {
            for (Map.Entry<String, String> nameNode : group.webAddresses().entrySet()) {
                Optional<JournalLocation> journal = installation.journalOf(group.nameservice(), nameNode.getKey());
                boolean isOurs = journal.isPresent() && journal.get().journal().equals(place.journal());
                if (isOurs && answers(nameNode.getValue())) {
                    throw new IOException(
                            "NameNode " + nameNode.getKey() + " of " + group.nameservice() + " answers at "
                                    + nameNode.getValue()
                                    + ": its namespace is not lost. To go back to an instant, stop all of its NameNodes"
                                    + " first; nothing was changed");
                }
            }
        }
    }

    private boolean answers(String webAddress) {
        try {
            installation.nameNodes().jmx(webAddress, STATUS, PATIENCE);
            return true;
        } catch (ConnectException | NoRouteToHostException | SocketTimeoutException | UnknownHostException e) {
            return false;
        } catch (IOException e) {
            // Somebody is there.
            return true;
        }
    }

    private String text(NamespaceRecipe recipe) {
        return "The namespace after transaction " + recipe.target().txId() + " is in " + to
                + ", with ids of blocks and files that were never assigned before\n"
                + InstantOptions.text(recipe)
                + "Next: hdfs namenode -initializeSharedEdits, and start this host's NameNode\n";
    }

    private Map<String, Object> json(NamespaceRecipe recipe) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("txId", recipe.target().txId());
        object.put("to", to.toString());
        InstantOptions.put(object, recipe);
        return object;
    }
}

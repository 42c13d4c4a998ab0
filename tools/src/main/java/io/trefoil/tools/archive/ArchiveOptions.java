/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.CommitMark;
import io.trefoil.checkpoint.archive.store.ArchiveIdentity;
import io.trefoil.checkpoint.archive.store.ArchiveReader;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.journal.model.JournalId;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.NameNodeGroup;
import java.io.IOException;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say where the archive is; each journal has a directory of its own there. */
final class ArchiveOptions {

    private final Installation installation;

    @Option(
            names = "--dir",
            required = true,
            paramLabel = "URI",
            description =
                    "The directory of the archive: file:, hdfs:, s3a: or whatever else Hadoop's configuration knows, but not"
                            + " on the cluster that it is for. The journal has a directory of its name there.")
    private String directory;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    ArchiveOptions(Installation installation) {
        this.installation = installation;
    }

    /** @throws ParameterException if there is no such file system */
    ArchiveStore openStore(String journal) {
        try {
            return installation.openArchive(directory + "/" + journal);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Reads an archive.
     *
     * @throws IOException if there is none, or it is of another journal
     */
    ArchiveReader openReader(JournalId journal) throws IOException {
        ArchiveStore store = openStore(journal.text());
        ArchiveIdentity.require(store, journal);
        return new ArchiveReader(store);
    }

    /** The nameservices of the configuration that have a journal of ours. */
    SortedSet<String> nameservices() {
        SortedSet<String> all = new TreeSet<>();
        for (NameNodeGroup group : installation.nameNodes().all()) {
            if (group.webAddresses().keySet().stream().anyMatch(nameNode -> installation
                    .journalOf(group.nameservice(), nameNode)
                    .isPresent())) {
                all.add(group.nameservice());
            }
        }
        return all;
    }

    static String text(CommitMark mark) {
        return "transaction " + mark.txId() + " at " + Instant.ofEpochMilli(mark.millis());
    }
}

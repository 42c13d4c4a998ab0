/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster;

import io.trefoil.it.cluster.layout.Settings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The stock clients that the harness itself uses. They are closed with their cluster. */
final class HarnessClients implements AutoCloseable {
    private final Settings settings;
    private final URI uri;
    private final List<DistributedFileSystem> fileSystems = new ArrayList<>();

    HarnessClients(Settings settings, String nameservice) {
        this.settings = settings;
        this.uri = URI.create("hdfs://" + nameservice);
    }

    /** A configuration that ignores anything on the class path of the harness. */
    Configuration configuration() {
        Configuration configuration = new Configuration(false);
        configuration.addResource("core-default.xml");
        configuration.addResource("hdfs-default.xml");
        settings.client().forEach(configuration::set);
        // When this JVM ends, Hadoop's own hook would have them complete their files, and ask servers that are gone for
        // minutes.
        configuration.setBoolean("fs.automatic.close", false);
        return configuration;
    }

    synchronized DistributedFileSystem newFileSystem(Configuration configuration) {
        try {
            DistributedFileSystem fileSystem = (DistributedFileSystem) FileSystem.newInstance(uri, configuration);
            fileSystems.add(fileSystem);
            return fileSystem;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        for (DistributedFileSystem fileSystem : fileSystems) {
            // The servers are gone; a client that completes a file would ask for them for minutes.
            fileSystem.getClient().closeAllFilesBeingWritten(true);
            try {
                fileSystem.close();
            } catch (IOException pathsWereToBeDeleted) {
                // No process is left to do that.
            }
        }
        fileSystems.clear();
    }
}

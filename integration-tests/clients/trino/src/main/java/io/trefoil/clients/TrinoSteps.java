/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import io.trino.filesystem.TrinoFileSystem;
import io.trino.filesystem.TrinoInput;
import io.trino.filesystem.hdfs.HdfsFileSystemFactory;
import io.trino.hdfs.DynamicHdfsConfiguration;
import io.trino.hdfs.HdfsConfig;
import io.trino.hdfs.HdfsConfigurationInitializer;
import io.trino.hdfs.HdfsEnvironment;
import io.trino.hdfs.authentication.NoHdfsAuthentication;
import io.trino.spi.security.ConnectorIdentity;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Each step writes a file and moves it into place, as the writers of Trino's connectors do. */
public final class TrinoSteps {
    private static final String DIRECTORY = "hdfs://trefoil/trino/";

    private final TrinoFileSystem files;

    public TrinoSteps() throws URISyntaxException {
        HdfsConfig config =
                new HdfsConfig().setResourceConfigFiles(List.of(site("core-site.xml"), site("hdfs-site.xml")));
        HdfsEnvironment environment = new HdfsEnvironment(
                new DynamicHdfsConfiguration(new HdfsConfigurationInitializer(config), Set.of()),
                config,
                new NoHdfsAuthentication());
        files = new HdfsFileSystemFactory(environment)
                .create(ConnectorIdentity.ofUser(System.getProperty("user.name")));
    }

    /** As {@code hive.config.resources} names it. */
    private static File site(String name) throws URISyntaxException {
        return new File(TrinoSteps.class.getResource("/" + name).toURI());
    }

    public void step(int number) throws IOException {
        try (OutputStream out = files.newOutputFile(draft(number)).create()) {
            out.write(text(number));
        }
        files.renameFile(draft(number), file(number));
    }

    public void check(int steps) throws IOException {
        for (int number = 1; number <= steps; number++) {
            byte[] expected = text(number);
            byte[] bytes = new byte[expected.length];
            if (files.newInputFile(file(number)).length() != expected.length) {
                throw new IllegalStateException(file(number) + " has another length");
            }
            try (TrinoInput in = files.newInputFile(file(number)).newInput()) {
                in.readFully(0, bytes, 0, bytes.length);
            }
            if (!Arrays.equals(bytes, expected)) {
                throw new IllegalStateException(file(number) + " holds something else");
            }
        }
    }

    private static String draft(int number) {
        return DIRECTORY + number + ".draft";
    }

    private static String file(int number) {
        return DIRECTORY + number + ".done";
    }

    private static byte[] text(int number) {
        return ("step " + number).getBytes(StandardCharsets.UTF_8);
    }
}

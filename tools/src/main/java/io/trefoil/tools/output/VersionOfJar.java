/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build recorded in the jar. */
public final class VersionOfJar implements IVersionProvider {

    private static final String BUILD = "/META-INF/maven/io.trefoil/trefoil-tools/pom.properties";

    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"trefoil " + version().orElse("of a build without a jar")};
    }

    /** The bare version; empty if the classes are not from a built jar. */
    public static Optional<String> version() throws IOException {
        try (InputStream in = VersionOfJar.class.getResourceAsStream(BUILD)) {
            Properties build = new Properties();
            if (in != null) {
                build.load(in);
            }
            return Optional.ofNullable(build.getProperty("version"));
        }
    }
}

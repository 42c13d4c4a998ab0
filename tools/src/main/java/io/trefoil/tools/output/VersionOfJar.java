/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.output;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
public final class VersionOfJar implements IVersionProvider {

    private static final String BUILD = "/META-INF/maven/io.trefoil/trefoil-tools/pom.properties";

    @Override
    public String[] getVersion() throws IOException {
        try (InputStream in = VersionOfJar.class.getResourceAsStream(BUILD)) {
            Properties build = new Properties();
            if (in != null) {
                build.load(in);
            }
            return new String[] {"trefoil " + build.getProperty("version", "of a build without a jar")};
        }
    }
}

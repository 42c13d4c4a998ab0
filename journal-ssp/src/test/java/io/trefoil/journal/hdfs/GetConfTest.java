/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdfs.tools.GetConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code hdfs getconf -confKey} says of our settings: a process of stock's that loads none of our classes. */
class GetConfTest {
    private static final String INCLUDE =
            "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"%s\"><xi:fallback/></xi:include>";
    private static final String SEVEN = "<property><name>trefoil.journal.lease</name><value>7s</value></property>";

    @TempDir
    private Path directory;

    @Test
    void showsDefaultsWhenSiteFileIncludesThem() throws Exception {
        assertThat(getConf(INCLUDE.formatted("trefoil-default.xml"))).isEqualTo("5s\n");
    }

    @Test
    void siteFileValueOverridesIncludedDefaults() throws Exception {
        assertThat(getConf(INCLUDE.formatted("trefoil-default.xml") + SEVEN)).isEqualTo("7s\n");
    }

    @Test
    void showsOnlySetValuesWithoutIncludedDefaults() throws Exception {
        assertThat(getConf("")).isEqualTo("Configuration trefoil.journal.lease is missing.\n");
        assertThat(getConf(SEVEN)).isEqualTo("7s\n");
    }

    @Test
    void hostWithoutTrefoilJarsReadsSameSiteFile() throws Exception {
        assertThat(getConf(INCLUDE.formatted("trefoil-gone-default.xml") + SEVEN))
                .isEqualTo("7s\n");
    }

    private String getConf(String site) throws IOException, InterruptedException {
        Files.writeString(directory.resolve("hdfs-site.xml"), "<configuration>" + site + "</configuration>");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                        "-cp",
                        directory + File.pathSeparator + System.getProperty("java.class.path"),
                        GetConf.class.getName(),
                        "-confKey",
                        "trefoil.journal.lease")
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.operating;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/**
 * The complete files in {@code conf/examples/secure} have the settings of {@code docs/operating/security.md}, which
 * tests execute.
 */
class SecureExampleTest {
    @Test
    void secureExampleMatchesPage() throws IOException {
        OperatorsPage page = OperatorsPage.read("security.md");
        Map<String, String> wanted = new TreeMap<>();
        page.properties("With Kerberos, step by step").forEach((key, value) -> wanted.put(key, oneLine(value)));
        page.properties("ZooKeeper").forEach(wanted::put);

        Path example = OperatorsPage.root().resolve("conf/examples/secure");
        Configuration files = new Configuration(false);
        for (String file : new String[] {"core-site.xml", "hdfs-site.xml"}) {
            files.addResource(
                    new org.apache.hadoop.fs.Path(example.resolve(file).toUri()));
        }
        Map<String, String> found = new TreeMap<>();
        wanted.keySet().forEach(key -> found.put(key, oneLine(files.get(key, "nothing"))));
        assertThat(found).isEqualTo(wanted);
        String logins = Files.readString(example.resolve("zookeeper-jaas.conf"));
        page.blockContaining("ZooKeeper", "Client {").lines().forEach(line -> assertThat(logins)
                .contains(line));
    }

    private static String oneLine(String value) {
        return value.strip().replaceAll("\\s+", " ");
    }
}

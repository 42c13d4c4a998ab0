/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.linkage.LinkCheck;
import io.trefoil.foundation.linkage.MissingMember;
import io.trefoil.it.cluster.host.StockHadoop;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The smart client finds every member that it uses in the shaded clients of Hadoop that releases of Spark bring: 3.3.2 with 3.3, 3.3.4
 * with 3.4 and 3.5, 3.4.1 with 4.0, 3.4.2 with 4.1; in that of 3.3.6; and among all that HBase and Spark bring. Classes are initialized,
 * as one looks members up by their names then; nothing else is executed.
 */
class ClientLinkageIT {
    /** What it has something else for, which class initialization chooses. */
    private static final String[] REPLACED = {
        "org.apache.hadoop.ipc.Client.getCallId()",
        "org.apache.hadoop.ipc.Client.getExternalHandler()",
        "org.apache.hadoop.ipc.Client.getRetryCount()",
        "org.apache.hadoop.ipc.Client.setCallIdAndRetryCountUnprotected(Integer, int, Object)",
    };

    @ParameterizedTest
    @ValueSource(strings = {"3.3.2", "3.3.4", "3.3.6"})
    void oldShadedClientLacksOnlyReplacedClasses(String release) throws Exception {
        assertThat(missing(release)).containsExactlyInAnyOrder(REPLACED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.4.1", "3.4.2"})
    void newShadedClientHasAllClasses(String release) throws Exception {
        assertThat(missing(release)).isEmpty();
    }

    /** With everything else that is on its class path; Flink and Hive have that of the Hadoop beside them. */
    @ParameterizedTest
    @Tag("long")
    @CsvSource({"hbase, 2.5.13-hadoop3", "hbase, 2.6.4-hadoop3", "spark, 3.3.4", "spark, 3.5.8", "spark, 4.1.1"})
    void programLacksOnlyReplacedClasses(String name, String version) throws Exception {
        assertThat(missing(ClientProject.of(name).withProgramVersion(version))).isSubsetOf(REPLACED);
    }

    private static SortedSet<String> missing(String release) throws Exception {
        return missing(ClientProject.of("shaded").withHadoopRelease(release));
    }

    private static SortedSet<String> missing(ClientProject program) throws Exception {
        SortedSet<String> missing = new TreeSet<>();
        try (URLClassLoader loader = classLoaderOf(program)) {
            for (MissingMember each : new LinkCheck(loader).findMissing(smartClient(), name -> true)) {
                missing.add(each.member());
            }
            for (String name :
                    new String[] {"SmartFailoverProxyProvider", "SmartInvocationHandler", "ThreadLocalCallIds"}) {
                assertThat(Class.forName("io.trefoil.client.hdfs." + name, true, loader)
                                .getClassLoader())
                        .isSameAs(loader);
            }
        }
        return missing;
    }

    private static URLClassLoader classLoaderOf(ClientProject program) throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(smartClient().toUri().toURL());
        for (Path library : program.classPath()) {
            urls.add(library.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static Path smartClient() {
        return StockHadoop.fromSystemProperties().clientJars().stream()
                .filter(jar -> jar.getFileName().toString().startsWith("trefoil-smart-client"))
                .findFirst()
                .orElseThrow();
    }
}

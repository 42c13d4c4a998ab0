/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadoops;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.linkage.LinkCheck;
import io.trefoil.it.process.jvm.Jdk;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every release of Hadoop that the documents name has every member that our jars use of it and of the libraries that it
 * brings; what one lacks is used by subtrees of a federation only, which say so.
 */
final class LinkageIT {
    private static final String COMPILED_AGAINST = "3.4.3";
    private static final String SHADED = "io.trefoil.shaded.bookkeeper";

    /** The parts of libraries that only run where somebody adds what they are for: OpenSSL, other loggers, the servers' own parts. */
    private static final List<String> UNUSED = Stream.of(
                    "com.fasterxml.jackson.databind.ext.",
                    "io.netty.handler.ssl.BouncyCastle",
                    "io.netty.handler.ssl.Conscrypt",
                    "io.netty.handler.ssl.DefaultOpenSsl",
                    "io.netty.handler.ssl.JettyAlpn",
                    "io.netty.handler.ssl.JettyNpn",
                    "io.netty.handler.ssl.OpenSsl",
                    "io.netty.handler.ssl.ReferenceCountedOpenSsl",
                    "io.netty.util.internal.logging.Log4J2",
                    "org.apache.bookkeeper.bookie.storage.ldb.KeyValueStorageRocksDB",
                    "org.apache.commons.beanutils.PropertyUtilsBean",
                    "org.apache.commons.configuration2.resolver.CatalogResolver",
                    "org.apache.zookeeper.server.metric.AvgMinMaxPercentileCounter",
                    "org.apache.zookeeper.server.persistence.SnapStream")
            .map(name -> SHADED + "." + name)
            .toList();

    /** The annotations of builds, which class files name, but no code loads. */
    private static final Pattern ANNOTATION =
            Pattern.compile("org\\.jetbrains\\.annotations\\..*|.*\\.com\\.google\\.j2objc\\.annotations\\..*");

    private static final String MAIN = "io.trefoil.tools.hdfs.TrefoilMain";

    @ParameterizedTest
    @ValueSource(strings = {"3.4.2", "3.5.0"})
    void linkageIsCompleteOnNewestHadoop(String release) throws Exception {
        Result result = check(release);

        assertThat(result.output()).contains("Hadoop " + release + " has everything that Trefoil uses of it");
        assertThat(result.exitCode()).isZero();
    }

    /** The classes that use what is missing; the page of the seam lists the members. */
    @ParameterizedTest
    @ValueSource(strings = {"3.1.4", "3.2.4", "3.3.0", "3.3.1", "3.3.4", "3.3.6", "3.4.1"})
    void linkageLacksOnlySubtreesWhenHadoopIsOlder(String release) throws Exception {
        Result result = check(release);

        assertThat(result.output()).doesNotContain("problem  ");
        assertThat(usingClasses(result.output()))
                .isSubsetOf(
                        "CacheDirectiveFileSystem",
                        "ParentPathFileSystem",
                        "CurrentVersionFileSystem",
                        "FileBuilders",
                        "RefreshedVersionFileSystem",
                        "HashedFileSystem",
                        "HdfsBlockLinks",
                        "HdfsSubtreeMoves",
                        "ListingFileSystem",
                        "PathListings",
                        "NameservicesFileSystem",
                        "RetryingFileSystem",
                        "SubtreeView");
        assertThat(result.exitCode()).isZero();
    }

    /** With no release but those that lack them, as the page of the seam says. */
    @ParameterizedTest
    @ValueSource(strings = {"3.1.4", "3.2.4", "3.3.0", "3.3.1", "3.3.4", "3.3.6", "3.4.1", "3.4.2", "3.5.0"})
    void onlySubtreeClassesLoseOverridesWhenReleaseDiffers(String release) throws Exception {
        SortedSet<String> lost = overrides(COMPILED_AGAINST);
        lost.removeAll(overrides(release));

        lost.removeIf(method -> method.startsWith("io.trefoil.federation.client.hdfs.")
                || method.startsWith("io.trefoil.federation.client.hdfs.hashed."));
        assertThat(lost)
                .isSubsetOf(
                        "io.trefoil.ha.hdfs.forward.ForwardedCallExecutor$QueuedCall.getRemotePort()",
                        "io.trefoil.journal.hdfs.TrefoilJournalManager.format(NamespaceInfo, boolean)");
    }

    /** Some find members of Hadoop by their names, which class files do not tell. */
    @ParameterizedTest
    @ValueSource(strings = {"3.1.4", "3.2.4", "3.3.0", "3.3.1", "3.3.4", "3.3.6", "3.4.1", "3.4.2", "3.5.0"})
    void reflectiveClassesInitializeOnEveryRelease(String release) throws Exception {
        try (URLClassLoader loader = classLoaderOf(HadoopRelease.of(release))) {
            for (String name : new String[] {
                "org.apache.hadoop.ipc.DeferredAnswer",
                "org.apache.hadoop.ipc.ForwardedCall",
                "org.apache.hadoop.ipc.CallErrorResponder",
                "org.apache.hadoop.ipc.RetriedCall",
                "org.apache.hadoop.ipc.ServerTokens",
                "io.trefoil.client.hdfs.SmartInvocationHandler",
                "io.trefoil.client.hdfs.ThreadLocalCallIds",
                "io.trefoil.ha.hdfs.forward.CallForwarder",
                "io.trefoil.ha.zk.connection.ZkClient",
            }) {
                assertThat(Class.forName(name, true, loader).getClassLoader()).isSameAs(loader);
            }
        }
    }

    /** Of BookKeeper and of what its client needs there is nothing on the class path but what the jar has. */
    @ParameterizedTest
    @ValueSource(strings = {"3.1.4", "3.2.4", "3.3.6", "3.4.1", "3.4.2", "3.5.0"})
    void bookKeeperJarFindsAllItUsesOnEveryRelease(String release) throws Exception {
        HadoopRelease hadoop = HadoopRelease.of(release);
        Path jar = Path.of(System.getProperty("trefoil.bookkeeper.jar"));
        List<URL> urls = new ArrayList<>();
        urls.add(jar.toUri().toURL());
        for (Path path : hadoop.ownJars()) {
            urls.add(path.toUri().toURL());
        }
        for (Path path : hadoop.libraries()) {
            urls.add(path.toUri().toURL());
        }
        try (URLClassLoader loader =
                new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            assertThat(loader.getResource("org/apache/bookkeeper/client/BookKeeper.class"))
                    .isNull();
            assertThat(new LinkCheck(loader).findMissing(jar, name -> true))
                    .filteredOn(each -> UNUSED.stream().noneMatch(each.usingClass()::startsWith))
                    .filteredOn(each -> !ANNOTATION.matcher(each.member()).matches())
                    .isEmpty();
            // Found by their names, in tables of drivers or in settings. TLS begins only where there is Bouncy Castle,
            // as since Hadoop 3.4.
            for (String name : new String[] {
                "org.apache.bookkeeper.client.DefaultEnsemblePlacementPolicy",
                "org.apache.bookkeeper.client.RackawareEnsemblePlacementPolicy",
                "org.apache.bookkeeper.client.RegionAwareEnsemblePlacementPolicy",
                "org.apache.bookkeeper.client.ZoneawareEnsemblePlacementPolicy",
                "org.apache.bookkeeper.meta.HierarchicalLedgerManagerFactory",
                "org.apache.bookkeeper.meta.zk.ZKMetadataClientDriver",
                "org.apache.bookkeeper.net.ScriptBasedMapping",
                "org.apache.bookkeeper.sasl.SASLClientProviderFactory",
                "org.apache.bookkeeper.tls.TLSContextFactory",
                "org.apache.zookeeper.ClientCnxnSocketNetty",
            }) {
                assertThat(Class.forName(SHADED + "." + name, false, loader).getClassLoader())
                        .isSameAs(loader);
            }
        }
    }

    private static SortedSet<String> overrides(String release) throws Exception {
        HadoopRelease hadoop = HadoopRelease.of(release);
        SortedSet<String> overrides = new TreeSet<>();
        try (URLClassLoader loader = classLoaderOf(hadoop)) {
            LinkCheck check = new LinkCheck(loader);
            for (Path jar : hadoop.ownJars()) {
                if (jar.getFileName().toString().startsWith("trefoil-")) {
                    overrides.addAll(check.findOverrides(jar));
                }
            }
        }
        return overrides;
    }

    private static URLClassLoader classLoaderOf(HadoopRelease release) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (Path path : release.ownJars()) {
            urls.add(path.toUri().toURL());
        }
        for (Path path : release.libraries()) {
            urls.add(path.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static Set<String> usingClasses(String output) {
        return Stream.of(output.split("\n"))
                .filter(line -> line.contains(", used by "))
                .map(line -> line.trim().replaceFirst(".*[.]", "").replaceFirst("\\$.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private record Result(int exitCode, String output) {}

    private static Result check(String release) throws IOException, InterruptedException {
        List<String> classPath = new ArrayList<>();
        HadoopRelease.of(release).ownJars().stream().map(Path::toString).forEach(classPath::add);
        HadoopRelease.of(release).libraries().stream().map(Path::toString).forEach(classPath::add);
        Process process = new ProcessBuilder(
                        Jdk.ofThisJvm().java().toString(),
                        "-Xmx256m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        String.join(":", classPath),
                        MAIN,
                        "preflight",
                        "--linkage")
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }
}

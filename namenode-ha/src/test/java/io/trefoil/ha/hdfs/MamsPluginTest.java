/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.File;
import java.io.OutputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.ServicePlugin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MamsPluginTest {

    @TempDir
    private Path directory;

    /** HDFS would only warn, and no agent would make this NameNode active or depose it. */
    @Test
    void nameNodeWithoutCuratorFailsToStart() throws Exception {
        try (TestNameNodes nameNodes = new TestNameNodes(directory, "without-curator");
                ClassLoaderWithoutCurator loader = new ClassLoaderWithoutCurator()) {
            nameNodes.set("dfs.ha.automatic-failover.enabled", "true");
            nameNodes.set("ha.zookeeper.quorum", "127.0.0.1:1");
            nameNodes.format("nn1");
            NameNode nameNode = nameNodes.start("nn1");
            ServicePlugin plugin = (ServicePlugin) loader.loadClass(MamsPlugin.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();

            assertThatThrownBy(() -> plugin.start(nameNode))
                    .isInstanceOf(ExitUtil.ExitException.class)
                    .hasMessageContaining("Automatic failover cannot start")
                    .hasMessageContaining("curator");
            assertThat(ExitUtil.terminateCalled()).isTrue();
            plugin.close();
        }
    }

    /** HDFS has no address over HTTP then. */
    @Test
    void pageUsesHttpsWhenPolicyForbidsHttp() throws Exception {
        TestCertificates certificates = new TestCertificates(directory, "authority");
        Configuration stores = new Configuration(false);
        TestCertificates.configure(
                stores, certificates.createKeystore("namenode", "localhost", "127.0.0.1"), certificates.truststore());
        stores.set("ssl.server.keystore.keypassword", TestCertificates.PASSWORD);
        Path settings = Files.createDirectory(directory.resolve("conf"));
        try (OutputStream out = Files.newOutputStream(settings.resolve("ssl-server.xml"))) {
            stores.writeXml(out);
        }
        Thread here = Thread.currentThread();
        ClassLoader before = here.getContextClassLoader();
        try (TestNameNodes nameNodes = new TestNameNodes(directory, "https-only");
                URLClassLoader withSettings =
                        new URLClassLoader(new URL[] {settings.toUri().toURL()}, before)) {
            int port = TestPorts.free();
            nameNodes.set("dfs.http.policy", "HTTPS_ONLY");
            nameNodes.set("dfs.namenode.https-address", "0.0.0.0:" + port);
            nameNodes.format("nn1");
            here.setContextClassLoader(withSettings);

            assertThat(MamsPlugin.webAddressOf(nameNodes.start("nn1"))).isEqualTo("localhost:" + port);
        } finally {
            here.setContextClassLoader(before);
        }
    }

    /** Our classes once more, beside everything else that the test has but Curator. */
    private static final class ClassLoaderWithoutCurator extends URLClassLoader {
        ClassLoaderWithoutCurator() throws MalformedURLException {
            super(classPath(), MamsPluginTest.class.getClassLoader());
        }

        private static URL[] classPath() throws MalformedURLException {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(new File(entry).toURI().toURL());
            }
            return urls.toArray(new URL[0]);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith("org.apache.curator.")) {
                throw new ClassNotFoundException(name);
            }
            if (!name.startsWith("io.trefoil.ha.")) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}

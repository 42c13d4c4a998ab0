/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.client.hdfs.SubtreeFs;
import io.trefoil.federation.hdfs.datanode.BlockLinkPlugin;
import io.trefoil.federation.hdfs.datanode.SharedSpaceUsed;
import io.trefoil.it.operating.OperatorsPage;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.AbstractFileSystem;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.GetSpaceUsed;
import org.apache.hadoop.util.ServicePlugin;
import org.junit.jupiter.api.Test;

/** The files in {@code conf/examples/subtrees} have the settings of {@code docs/operating/subtrees.md}, each for whom it is meant. */
class SubtreesExampleTest {

    private static Configuration read(String core) {
        Path example = OperatorsPage.root().resolve("conf/examples/subtrees");
        Configuration conf = new Configuration();
        for (String file : new String[] {core, "hdfs-site.xml"}) {
            conf.addResource(new org.apache.hadoop.fs.Path(example.resolve(file).toUri()));
        }
        return conf;
    }

    private static Map<String, String> valuesOf(Configuration conf, Map<String, String> names) {
        Map<String, String> values = new LinkedHashMap<>();
        names.keySet().forEach(name -> values.put(name, conf.get(name)));
        return values;
    }

    @Test
    void onlyClientsHaveDocumentedClientSettings() throws IOException {
        Map<String, String> wanted = OperatorsPage.read("subtrees.md").settings("Getting started");

        assertThat(valuesOf(read("clients/core-site.xml"), wanted))
                .isEqualTo(wanted)
                .hasSize(3);

        Configuration servers = read("core-site.xml");
        Configuration stock = new Configuration();
        assertThat(valuesOf(servers, wanted)).isEqualTo(valuesOf(stock, wanted));
    }

    @Test
    void serversHaveDocumentedSettings() throws IOException {
        OperatorsPage page = OperatorsPage.read("subtrees.md");
        Configuration servers = read("core-site.xml");
        for (String section : new String[] {"Moving a subtree with everything in it", "Who has too much to do"}) {
            Map<String, String> wanted = page.settings(section);
            assertThat(valuesOf(servers, wanted)).as(section).isEqualTo(wanted);
        }
    }

    @Test
    void clientsReferToFederationAndNameserviceHoldsTable() {
        Configuration clients = read("clients/core-site.xml");

        assertThat(clients.getStrings("dfs.nameservices"))
                .contains(URI.create(clients.get("fs.viewfs.mounttable.path")).getAuthority())
                .doesNotContain(FileSystem.getDefaultUri(clients).getAuthority());
    }

    @Test
    void hadoopFindsConfiguredClasses() throws IOException {
        Configuration clients = read("clients/core-site.xml");
        Configuration servers = read("core-site.xml");

        assertThat(FileSystem.getFileSystemClass("hdfs", clients)).isEqualTo(SubtreeFileSystem.class);
        assertThat(clients.getClass("fs.AbstractFileSystem.hdfs.impl", null, AbstractFileSystem.class))
                .isEqualTo(SubtreeFs.class);
        assertThat(servers.getInstances("dfs.datanode.plugins", ServicePlugin.class))
                .hasSize(1)
                .hasOnlyElementsOfType(BlockLinkPlugin.class);
        assertThat(servers.getClass("fs.getspaceused.classname", null, GetSpaceUsed.class))
                .isEqualTo(SharedSpaceUsed.class);
    }
}

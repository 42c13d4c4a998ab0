/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.foundation.TcpProbe;
import io.trefoil.foundation.hdfs.WebPages;
import io.trefoil.ha.hdfs.orders.RemoteElectionOrders;
import io.trefoil.tools.cluster.GroupServers;
import io.trefoil.tools.cluster.NameNodeGroup;
import io.trefoil.tools.cluster.NameNodes;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.net.NetUtils;

/**
 * The NameNodes of the configured nameservices, queried through their web pages, which firewalls usually let an operator's host reach.
 */
final class ConfiguredNameNodes implements NameNodes {

    private final Configuration conf;
    private final WebPages pages;

    ConfiguredNameNodes(Configuration conf) {
        this.conf = conf;
        this.pages = new WebPages(conf);
    }

    @Override
    public NameNodeGroup find(Optional<String> requestedId) {
        Map<String, Map<String, String>> configured = pages.addresses();
        List<String> groups = new ArrayList<>();
        List<NameNodeGroup> fitting = new ArrayList<>();
        configured.forEach((nameservice, nameNodes) -> {
            // Without nameservices in the configuration, Hadoop makes up one that has no name.
            if (nameservice != null && nameNodes.size() > 1) {
                groups.add(nameservice);
                if (!requestedId.isPresent() || requestedId.get().equals(nameservice)) {
                    fitting.add(NameNodeGroup.of(nameservice, nameNodes));
                }
            }
        });
        if (fitting.size() == 1) {
            return fitting.get(0);
        }
        throw new IllegalArgumentException("Wanted "
                + requestedId.map(name -> "a nameservice '" + name + "'").orElse("one nameservice")
                + " with several NameNodes in dfs.nameservices and dfs.ha.namenodes.* of the configuration, found "
                + (groups.isEmpty()
                        ? "none; HADOOP_CONF_DIR or -conf FILE says which configuration is read"
                        : groups + "; name it with --nameservice"));
    }

    @Override
    public List<NameNodeGroup> all() {
        // Where it is set, the others are of other clusters: with other DataNodes, so nothing can be moved there.
        Collection<String> ours = conf.getTrimmedStringCollection(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
        List<NameNodeGroup> all = new ArrayList<>();
        pages.addresses().forEach((nameservice, nameNodes) -> {
            if (nameservice != null && (ours.isEmpty() || ours.contains(nameservice))) {
                all.add(NameNodeGroup.of(nameservice, nameNodes));
            }
        });
        return all;
    }

    @Override
    public boolean isElected(String nameservice) {
        String plugins = DFSConfigKeys.DFS_NAMENODE_PLUGINS_KEY;
        return Arrays.asList(conf.getTrimmedStrings(plugins + "." + nameservice, conf.getTrimmedStrings(plugins)))
                .contains(ConfiguredHost.AGENT);
    }

    @Override
    public String fetchBean(String webAddress, String bean, Duration timeout) throws IOException {
        return pages.read(webAddress, "/jmx?qry=" + URLEncoder.encode(bean, StandardCharsets.UTF_8.name()), timeout);
    }

    @Override
    public boolean isListening(String webAddress, Duration timeout) {
        try {
            return TcpProbe.isListening(NetUtils.createSocketAddr(webAddress), timeout);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    @Override
    public String fetchSetting(String webAddress, String name, Duration timeout) throws IOException {
        return pages.read(webAddress, "/conf?name=" + URLEncoder.encode(name, StandardCharsets.UTF_8.name()), timeout);
    }

    @Override
    public String fetchStatus(String webAddress, Duration timeout) throws IOException {
        return pages.read(webAddress, "/trefoil/status", timeout);
    }

    @Override
    public Elections elections(String nameservice, Duration timeout) {
        RemoteElectionOrders orders = new RemoteElectionOrders(conf, nameservice, timeout);
        return new Elections() {
            @Override
            public String prefer(String nameNode, Optional<Duration> time) throws IOException {
                return orders.prefer(nameNode, time);
            }

            @Override
            public String clearPreference() throws IOException {
                return orders.clearPreference();
            }

            @Override
            public String drain(String nameNode) throws IOException {
                return orders.drain(nameNode);
            }

            @Override
            public String drainIfNoneDrained(String nameNode) throws IOException {
                return orders.drainAlone(nameNode);
            }

            @Override
            public String undrain(String nameNode) throws IOException {
                return orders.undrain(nameNode);
            }
        };
    }

    @Override
    public GroupServers servers(String nameservice, Duration timeout) {
        return new ConfiguredGroupServers(conf, nameservice, timeout);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import io.trefoil.checkpoint.hdfs.config.CheckpointKeys;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.ha.hdfs.config.ConfiguredSites;
import io.trefoil.journal.hdfs.config.NodeConfiguration;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.server.NodeSettings;
import io.trefoil.tools.cluster.HostPlan;
import io.trefoil.tools.cluster.LocalNameNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/** The requirements of the configuration on one NameNode's host. */
final class ConfiguredHost {
    private static final String RPC_ADDRESS = "dfs.namenode.rpc-address";
    private static final String HTTP_ADDRESS = "dfs.namenode.http-address";
    private static final String ANY_INTERFACE = "0.0.0.0";
    private static final String PLUGINS = "dfs.namenode.plugins";
    static final String JOURNAL_PLUGIN = "dfs.namenode.edits.journal-plugin.ssp";
    static final String AGENT = "io.trefoil.ha.hdfs.MamsPlugin";
    static final String CHECKPOINTS = "io.trefoil.checkpoint.hdfs.CheckpointPlugin";
    private static final String WEB_PRINCIPAL = "dfs.web.authentication.kerberos.principal";
    private static final String QUORUM = "ha.zookeeper.quorum";

    private final Configuration conf;
    private final String nameservice;
    private final LocalNameNode nameNode;
    private final SuffixedConfiguration own;
    private final NodeSettings node;

    /** @throws IllegalArgumentException if the configuration does not describe the host's pool node well enough */
    ConfiguredHost(Configuration conf, String nameservice, LocalNameNode nameNode) {
        this.conf = conf;
        this.nameservice = nameservice;
        this.nameNode = nameNode;
        own = new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(nameNode.name()));
        node = NodeConfiguration.read(conf);
    }

    /** @throws IllegalArgumentException if a required setting is missing */
    HostPlan plan() {
        List<String> others = new ArrayList<>();
        for (NodeAddress address : nameNode.journal().addresses()) {
            if (!address.equals(node.address())) {
                others.add(address.toString());
            }
        }
        List<String> nameDirectories = new ArrayList<>();
        for (Path directory : nameNode.nameDirectories()) {
            nameDirectories.add(directory.toString());
        }
        return HostPlan.builder()
                .nameNode(nameNode.name())
                .listeners(listeners())
                .otherNodes(others)
                .otherPages(otherPages())
                .sites(sites())
                .journalDirectory(node.directory().toString())
                .nameDirectories(nameDirectories)
                .classes(classes())
                .settingErrors(new ConfiguredSettingErrors(
                                HadoopInstallation.resolveConfiguration(conf, nameservice, nameNode.name()),
                                own,
                                plugins())
                        .findAll())
                .zooKeepers(zooKeepers())
                .logins(logins())
                .build();
    }

    private Map<String, String> sites() {
        ConfiguredSites configured = ConfiguredSites.of(conf, nameservice);
        Map<String, String> sites = new LinkedHashMap<>();
        for (NodeAddress address : nameNode.journal().addresses()) {
            sites.put(address.toString(), configured.siteOfNodeOrHost(address.toString()));
        }
        return sites;
    }

    private Map<String, String> listeners() {
        Map<String, String> listeners = new LinkedHashMap<>();
        String rpc = own.text(RPC_ADDRESS).orElseThrow(() -> new IllegalArgumentException(RPC_ADDRESS + " is not set"));
        String host = rpc.replaceFirst(":[0-9]+$", "");
        listeners.put(RPC_ADDRESS, rpc);
        String page = pageUrl(nameNode.name());
        if (!page.isEmpty()) {
            listeners.put(HTTP_ADDRESS, page);
        }
        listeners.put("dfs.namenode.shared.edits.dir", node.address().toString());
        if (plugins().contains(AGENT)) {
            listeners.put(
                    "dfs.ha.zkfc.port",
                    host + ":" + own.text("dfs.ha.zkfc.port").orElse("8019"));
        }
        if (plugins().contains(CHECKPOINTS)) {
            listeners.put(CheckpointKeys.PORT.name(), host + ":" + CheckpointKeys.PORT.get(own));
        }
        return listeners;
    }

    private List<URI> otherPages() {
        List<URI> pages = new ArrayList<>();
        for (String other : splitList(conf.getTrimmed("dfs.ha.namenodes." + nameservice, ""))) {
            String address = pageUrl(other);
            if (!other.equals(nameNode.name()) && !address.isEmpty()) {
                pages.add(URI.create("http://" + address + "/"));
            }
        }
        return pages;
    }

    /** The URL of a NameNode's page, by HDFS's own default if nothing is set; empty if it has no page without TLS. */
    private String pageUrl(String other) {
        SuffixedConfiguration settings = new SuffixedConfiguration(conf, Optional.of(nameservice), Optional.of(other));
        String set = settings.text(HTTP_ADDRESS).orElse(ANY_INTERFACE + ":9870");
        String rpc = settings.text(RPC_ADDRESS).orElse("");
        if (!set.startsWith(ANY_INTERFACE + ":")) {
            return set;
        }
        return rpc.isEmpty() || conf.getTrimmed("dfs.http.policy", "").equals("HTTPS_ONLY")
                ? ""
                : rpc.replaceFirst(":[0-9]+$", "") + set.substring(ANY_INTERFACE.length());
    }

    private Map<String, String> classes() {
        Map<String, String> classes = new LinkedHashMap<>();
        String provider = "dfs.client.failover.proxy.provider." + nameservice;
        for (String property : new String[] {JOURNAL_PLUGIN, provider, PLUGINS}) {
            own.text(property).ifPresent(value -> splitList(value).forEach(name -> classes.put(name, property)));
        }
        return classes;
    }

    private List<String> zooKeepers() {
        List<String> servers = new ArrayList<>();
        if (plugins().contains(AGENT)) {
            String quorum = own.text(QUORUM)
                    .orElseThrow(() -> new IllegalArgumentException(
                            QUORUM + " is not set, and " + PLUGINS + " has " + AGENT + ", which needs it"));
            for (String server : splitList(quorum.replaceFirst("/.*", ""))) {
                servers.add(server.contains(":") ? server : server + ":2181");
            }
        }
        return servers;
    }

    private List<HostPlan.Login> logins() {
        List<HostPlan.Login> logins = new ArrayList<>();
        if (SecurityUtil.getAuthenticationMethod(conf) == AuthenticationMethod.KERBEROS) {
            logins.add(login("dfs.namenode.kerberos.principal", "dfs.namenode.keytab.file"));
            // "*" stands for whatever the keytab has.
            if (!own.text(WEB_PRINCIPAL).orElse("*").equals("*")) {
                logins.add(login(WEB_PRINCIPAL, "dfs.web.authentication.kerberos.keytab"));
            }
        }
        return logins;
    }

    private HostPlan.Login login(String principalProperty, String keytabProperty) {
        String principal = requireProperty(principalProperty);
        try {
            return HostPlan.Login.of(
                    keytabProperty,
                    SecurityUtil.getServerPrincipal(
                            principal, requireProperty(RPC_ADDRESS).replaceFirst(":[0-9]+$", "")),
                    requireProperty(keytabProperty));
        } catch (IOException e) {
            throw new IllegalArgumentException(principalProperty + " is " + principal + ": " + e.getMessage(), e);
        }
    }

    private String requireProperty(String property) {
        return own.text(property)
                .orElseThrow(() -> new IllegalArgumentException(
                        property + " is not set, and hadoop.security.authentication is kerberos"));
    }

    private List<String> plugins() {
        return splitList(own.text(PLUGINS).orElse(""));
    }

    private static List<String> splitList(String value) {
        List<String> parts = new ArrayList<>();
        for (String part : value.split(",")) {
            if (!part.trim().isEmpty()) {
                parts.add(part.trim());
            }
        }
        return parts;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.Networks;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Who may use the journal, by the configuration.
 *
 * <p>Uses {@code SecurityUtil.getAuthenticationMethod}.
 */
final class NodeAccess {

    private NodeAccess() {}

    /**
     * Sees that the journal may be used without authentication.
     *
     * @throws IllegalArgumentException if the cluster wants it; the text says what to do
     */
    static void requireNoAuthentication(Configuration conf, SuffixedConfiguration suffixed) {
        AuthenticationMethod method = SecurityUtil.getAuthenticationMethod(conf);
        if (method != AuthenticationMethod.SIMPLE && !SspKeys.NO_AUTHENTICATION.get(suffixed)) {
            throw new IllegalArgumentException(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION + " is "
                    + method + ", and ssp:// journals know no authentication: everybody who reaches a pool node from a"
                    + " host that it trusts may read and write them. Set " + SspKeys.NO_AUTHENTICATION.name()
                    + " to true if that is enough in your network");
        }
    }

    /** @param addresses the pool nodes that URIs name */
    static AccessSettings read(Configuration conf, SuffixedConfiguration suffixed, Collection<NodeAddress> addresses) {
        Set<String> hosts = new LinkedHashSet<>();
        addresses.forEach(address -> hosts.add(address.host()));
        hosts.addAll(ConfiguredJournals.nameNodeHosts(conf));
        Networks nodes = SspKeys.ANY_ADDRESS.get(suffixed)
                ? Networks.EVERYWHERE
                : SspKeys.NODE_NETWORKS.find(suffixed).orElse(Networks.NONE);
        return AccessSettings.of(
                hosts, nodes, SspKeys.OPERATOR_NETWORKS.find(suffixed).orElse(Networks.NONE));
    }
}

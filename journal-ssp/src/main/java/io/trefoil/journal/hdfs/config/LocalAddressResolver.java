/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.NodeAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.net.NetUtils;

/**
 * Determines which of a journal's addresses is this host's.
 *
 * <p>Uses {@code NetUtils.isLocalAddress}.
 */
final class LocalAddressResolver {
    private final Predicate<String> isLocal;

    LocalAddressResolver() {
        this(LocalAddressResolver::isLocalHost);
    }

    /** @param isLocal whether a host name or address is this host's */
    LocalAddressResolver(Predicate<String> isLocal) {
        this.isLocal = isLocal;
    }

    /**
     * The address that {@code trefoil.journal.address} names, or else the only one on this host.
     *
     * @throws IllegalArgumentException if there is no such address, or several; the text says what to set
     */
    NodeAddress find(List<NodeAddress> addresses, SuffixedConfiguration conf) {
        return SspKeys.ADDRESS
                .find(conf)
                .map(text -> findConfigured(text, addresses, conf))
                .orElseGet(() -> findLocal(addresses));
    }

    private static NodeAddress findConfigured(String text, List<NodeAddress> addresses, SuffixedConfiguration conf) {
        String property = conf.property(SspKeys.ADDRESS.name());
        NodeAddress address;
        try {
            address = PoolUri.address(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(property + " is '" + text + "': " + e.getMessage(), e);
        }
        if (!addresses.contains(address)) {
            throw new IllegalArgumentException(property + " is " + address
                    + ", which is not among the pool nodes of the ssp:// URI: " + addresses
                    + "; both must write the address of the node alike");
        }
        return address;
    }

    private NodeAddress findLocal(List<NodeAddress> addresses) {
        List<NodeAddress> matching = new ArrayList<>();
        for (NodeAddress address : addresses) {
            if (isLocal.test(address.host())) {
                matching.add(address);
            }
        }
        if (matching.size() == 1) {
            return matching.get(0);
        }
        if (matching.isEmpty()) {
            throw new IllegalArgumentException("None of the pool nodes " + addresses
                    + " is on this host; name this host's in the ssp:// URI,"
                    + " and set " + SspKeys.ADDRESS.name() + " to it if its name does not resolve to this host; or set "
                    + SspKeys.EMBEDDED.name() + " to false if this NameNode should have none");
        }
        throw new IllegalArgumentException("Several pool nodes are on this host: " + matching + "; set "
                + SspKeys.ADDRESS.name() + " to the one of this process");
    }

    private static boolean isLocalHost(String host) {
        try {
            return HostResolver.ofProcess().find(host).stream().anyMatch(NetUtils::isLocalAddress);
        } catch (IOException e) {
            // It may be the name of another host that is down or not set up yet: this one must start all the same.
            return false;
        }
    }
}

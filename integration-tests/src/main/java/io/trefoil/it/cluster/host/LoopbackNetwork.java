/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.process.faults.Impairment;
import java.util.List;

/** All servers on 127.0.0.1, told apart by their ports. Needs no privileges; its links cannot be cut. */
public final class LoopbackNetwork implements Network {
    @Override
    public void join(List<String> servers) {
        // All servers are on this host already.
    }

    @Override
    public void shareHost(String host, List<String> servers) {
        // All servers share the only host.
    }

    @Override
    public String hostOf(String server) {
        return "127.0.0.1";
    }

    @Override
    public List<String> commandPrefix(String server) {
        return List.of();
    }

    @Override
    public void cutOneWay(String from, String to) {
        throw linksUnsupported();
    }

    @Override
    public void healOneWay(String from, String to) {
        throw linksUnsupported();
    }

    @Override
    public void refuseOneWay(String from, String to) {
        throw linksUnsupported();
    }

    @Override
    public void acceptOneWay(String from, String to) {
        throw linksUnsupported();
    }

    @Override
    public void impairOneWay(String from, String to, Impairment impairment) {
        throw linksUnsupported();
    }

    @Override
    public void repairOneWay(String from, String to) {
        throw linksUnsupported();
    }

    @Override
    public void unplug(String server) {
        throw linksUnsupported();
    }

    @Override
    public void plugIn(String server) {
        throw linksUnsupported();
    }

    @Override
    public void close() {
        // There is nothing to give back.
    }

    private static UnsupportedOperationException linksUnsupported() {
        return new UnsupportedOperationException(
                "servers on one host have no links to cut: build the cluster with hostsInNetworkNamespaces()");
    }
}

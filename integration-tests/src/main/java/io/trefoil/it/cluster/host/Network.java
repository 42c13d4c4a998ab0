/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.process.faults.Impairment;
import java.util.List;
import java.util.Map;

/** The network that the servers of a cluster are in. */
public interface Network extends AutoCloseable {
    /** Gives the named servers their hosts; all others run on the host of the harness. */
    void join(List<String> servers);

    /** Puts more servers on the host of one that has already joined. */
    void shareHost(String host, List<String> servers);

    /** The address of a server, by which the harness and all servers reach it. */
    String hostOf(String server);

    /** Returns the properties to write into the configuration of servers instead of these. */
    default Map<String, String> translate(Map<String, String> properties) {
        return properties;
    }

    /** The command prefix that makes a command run on the server's host. */
    List<String> commandPrefix(String server);

    /**
     * Drops everything that one server sends to the other; packets vanish without an error. The opposite direction
     * stays open.
     */
    void cutOneWay(String from, String to);

    /** Undoes {@link #cutOneWay}. */
    void healOneWay(String from, String to);

    /** Refuses everything that one server sends to the other, like a host on which nothing listens. */
    void refuseOneWay(String from, String to);

    /** Undoes {@link #refuseOneWay}. */
    void acceptOneWay(String from, String to);

    /** Makes what one server sends to the other late and in part lost; the opposite direction stays as it is. */
    void impairOneWay(String from, String to, Impairment impairment);

    /** Undoes {@link #impairOneWay}. */
    void repairOneWay(String from, String to);

    /** Pulls the server's network cable: it can neither be reached nor reach others, including the harness. */
    void unplug(String server);

    /** Undoes {@link #unplug}. */
    void plugIn(String server);

    @Override
    void close();
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import java.util.List;

/** Where the servers of a cluster live, as seen from the network. */
public interface Network extends AutoCloseable {
    /** Gives the named servers their hosts; all others live on the host of the harness. */
    void join(List<String> servers);

    /** Puts further servers on the host of one that has joined. */
    void share(String host, List<String> servers);

    /** The address of a server; harness and servers reach each other by it. */
    String hostOf(String server);

    /** What must stand in front of a command so that it runs on the server's host. */
    List<String> commandPrefix(String server);

    /** Nothing from one server reaches the other any more; packets vanish, nobody is told. The opposite direction stays open. */
    void cutOneWay(String from, String to);

    /** Undoes {@link #cutOneWay}. */
    void healOneWay(String from, String to);

    /** Whatever one server sends to the other is answered as by a host where nobody listens. */
    void refuseOneWay(String from, String to);

    /** Undoes {@link #refuseOneWay}. */
    void acceptOneWay(String from, String to);

    /** Pulls the server's network cable: nobody reaches it and it reaches nobody, the harness included. */
    void unplug(String server);

    /** Undoes {@link #unplug}. */
    void plugIn(String server);

    @Override
    void close();
}

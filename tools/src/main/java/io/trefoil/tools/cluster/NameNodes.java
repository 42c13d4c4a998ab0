/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The NameNodes that the command can query. */
public interface NameNodes {

    /**
     * Finds the NameNodes of a nameservice.
     *
     * @param nameservice empty for the only one in the configuration
     * @throws IllegalArgumentException if there is no such nameservice with several NameNodes, or if none was named and there are
     *     several
     */
    NameNodeGroup find(Optional<String> nameservice);

    /**
     * All nameservices of the cluster, including those with one NameNode: those in {@code dfs.internal.nameservices}, or else in
     * {@code dfs.nameservices}.
     */
    List<NameNodeGroup> all();

    /** Whether the NameNodes of a nameservice are configured to fail over automatically, with our agent. */
    boolean isElected(String nameservice);

    /**
     * A bean, as a NameNode exposes it.
     *
     * @param webAddress {@code host:port}
     * @param bean its full name
     * @return the page {@code /jmx} as JSON; without beans if the NameNode has none of that name
     * @throws IOException if it does not answer in time
     */
    String fetchBean(String webAddress, String bean, Duration timeout) throws IOException;

    /**
     * Whether something accepts connections on a NameNode's web address. A process that hangs still does; a host that is
     * down or cut off does not.
     *
     * @param webAddress {@code host:port}
     */
    boolean isListening(String webAddress, Duration timeout);

    /**
     * A setting, as a NameNode exposes it.
     *
     * @param webAddress {@code host:port}
     * @return the page {@code /conf} of that setting, in whatever format
     * @throws IOException if it does not answer in time, or the setting is not set
     */
    String fetchSetting(String webAddress, String name, Duration timeout) throws IOException;

    /**
     * Fetches a NameNode's report about its nameservice.
     *
     * @param webAddress {@code host:port}
     * @return its page {@code /trefoil/status} as JSON ({@code docs/operating/web-page.md})
     * @throws IOException if it does not answer in time, or has no such page
     */
    String fetchStatus(String webAddress, Duration timeout) throws IOException;

    /**
     * Accepts operators' orders about elections in a nameservice.
     *
     * @param timeout how long one NameNode may take
     */
    Elections elections(String nameservice, Duration timeout);

    /**
     * The servers of a nameservice, which must learn that its NameNodes have changed.
     *
     * @param timeout how long each of them may take
     */
    GroupServers servers(String nameservice, Duration timeout);

    /**
     * Has orders about elections carried out by any NameNode that can reach ZooKeeper. Each method returns the resulting situation, as
     * text.
     */
    interface Elections {

        /**
         * Makes a NameNode the preferred one in elections.
         *
         * @param time for how long; if empty, until the order is taken back
         * @throws IOException if it was refused, or no NameNode took it
         */
        String prefer(String nameNode, Optional<Duration> time) throws IOException;

        String clearPreference() throws IOException;

        /** Makes a NameNode leave the active role to others. */
        String drain(String nameNode) throws IOException;

        /**
         * Makes a NameNode leave the active role to others, unless another one is drained.
         *
         * @throws OrderRefusedException if another one is, or no NameNode could be active without it
         * @throws IOException if no NameNode took it
         */
        String drainIfNoneDrained(String nameNode) throws IOException;

        String undrain(String nameNode) throws IOException;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The NameNodes that the command can ask. */
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
     * All nameservices of the cluster, also those with one NameNode: those in {@code dfs.internal.nameservices}, or else in
     * {@code dfs.nameservices}.
     */
    List<NameNodeGroup> all();

    /** Whether the configuration has the NameNodes of a nameservice fail over by themselves, with our agent. */
    boolean isElected(String nameservice);

    /**
     * A bean as a NameNode shows it.
     *
     * @param webAddress {@code host:port}
     * @param bean its full name
     * @return the page {@code /jmx} as JSON; without beans if the NameNode has none of that name
     * @throws IOException if it does not answer in time
     */
    String jmx(String webAddress, String bean, Duration patience) throws IOException;

    /**
     * A setting as a NameNode shows it.
     *
     * @param webAddress {@code host:port}
     * @return the page {@code /conf} of that setting, in whatever format
     * @throws IOException if it does not answer in time, or the setting is not set
     */
    String setting(String webAddress, String name, Duration patience) throws IOException;

    /**
     * Fetches a NameNode's report about its nameservice.
     *
     * @param webAddress {@code host:port}
     * @return its page {@code /trefoil/status} as JSON ({@code docs/operating/web-page.md})
     * @throws IOException if it does not answer in time, or has no such page
     */
    String status(String webAddress, Duration patience) throws IOException;

    /**
     * Takes operators' orders about elections in a nameservice.
     *
     * @param patience how long one NameNode may take
     */
    Elections elections(String nameservice, Duration patience);

    /**
     * The servers of a nameservice, which must hear that its NameNodes have changed.
     *
     * @param patience how long each of them may take
     */
    GroupServers servers(String nameservice, Duration patience);

    /** Carries out orders about elections, at any NameNode that reaches ZooKeeper. Each method returns the resulting situation, as text. */
    interface Elections {

        /**
         * Has a NameNode elected before all others.
         *
         * @param time for how long; if empty, until the order is taken back
         * @throws IOException if it was refused, or no NameNode took it
         */
        String prefer(String nameNode, Optional<Duration> time) throws IOException;

        String preferNobody() throws IOException;

        /** Has a NameNode leave the active's role to others. */
        String drain(String nameNode) throws IOException;

        /**
         * Has a NameNode leave the active's role to others, unless another one is drained.
         *
         * @throws OrderRefusedException if another one is, or nobody could be active without it
         * @throws IOException if no NameNode took it
         */
        String drainAlone(String nameNode) throws IOException;

        String undrain(String nameNode) throws IOException;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** The NameNodes that the command can ask. */
public interface NameNodes {

    /**
     * Finds the NameNodes of a nameservice.
     *
     * @param nameservice empty for the only one that there is in the configuration
     * @throws IllegalArgumentException if there is no such one with several NameNodes, or there are several to choose from
     */
    NameNodeGroup find(Optional<String> nameservice);

    /**
     * What a NameNode shows of a bean.
     *
     * @param webAddress {@code host:port}
     * @param bean its full name
     * @return the page {@code /jmx} as JSON; without beans if it has none of that name
     * @throws IOException if it does not answer in time
     */
    String jmx(String webAddress, String bean, Duration patience) throws IOException;

    /**
     * What a NameNode says of its nameservice.
     *
     * @param webAddress {@code host:port}
     * @return its page {@code /trefoil/status} as JSON ({@code docs/operating/web-page.md})
     * @throws IOException if it does not answer in time, or has no such page
     */
    String status(String webAddress, Duration patience) throws IOException;

    /**
     * Who takes operators' orders about elections in a nameservice.
     *
     * @param patience how long one NameNode may take
     */
    Elections elections(String nameservice, Duration patience);

    /**
     * The servers of a nameservice, to be told that it has other NameNodes.
     *
     * @param patience how long each of them may take
     */
    GroupServers servers(String nameservice, Duration patience);

    /** Carries out orders about elections, at any NameNode that reaches ZooKeeper. Each returns what is so then, as text. */
    interface Elections {

        /**
         * Has a NameNode elected before all others.
         *
         * @param time for how long; until it is taken back if empty
         * @throws IOException if it was refused, or nobody took it
         */
        String prefer(String nameNode, Optional<Duration> time) throws IOException;

        String preferNobody() throws IOException;

        /** Has a NameNode leave the active's role to others. */
        String drain(String nameNode) throws IOException;

        String undrain(String nameNode) throws IOException;
    }
}

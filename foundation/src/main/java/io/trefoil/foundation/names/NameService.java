/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.names;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;

/** A service that resolves the addresses of hosts. May fail, and may hang for many seconds. */
public interface NameService {

    /**
     * The addresses of a host, which may be about 30 s old.
     *
     * @throws IOException if there is no answer
     */
    List<InetAddress> lookUp(String host) throws IOException;

    /**
     * The current addresses of a host.
     *
     * @throws IOException if there is no answer
     */
    List<InetAddress> lookUpUncached(String host) throws IOException;
}

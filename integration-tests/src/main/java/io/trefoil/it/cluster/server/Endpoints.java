/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.foundation.TcpProbe;
import java.time.Duration;
import org.apache.hadoop.net.NetUtils;

/** Checks the addresses of servers from outside. */
public final class Endpoints {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private Endpoints() {}

    /** Whether the address accepts connections. */
    public static boolean isListening(String address) {
        return TcpProbe.isListening(NetUtils.createSocketAddr(address), TIMEOUT);
    }
}

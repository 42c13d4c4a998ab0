/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;

/** Probes whether a process listens on an address. */
public final class TcpProbe {
    private TcpProbe() {}

    /**
     * Whether something accepts connections on an address. A process that hangs still does; a host that is down, cut off
     * or unknown does not. Blocks for the timeout at most.
     */
    public static boolean isListening(InetSocketAddress address, Duration timeout) {
        try (Socket socket = new Socket()) {
            socket.connect(address, Math.toIntExact(timeout.toMillis()));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.apache.hadoop.net.NetUtils;

/** Checks the addresses of servers from outside. */
public final class Endpoints {
    private static final int TIMEOUT_MILLIS = 1_000;

    private Endpoints() {}

    /** Whether the address accepts connections. */
    public static boolean isListening(String address) {
        InetSocketAddress target = NetUtils.createSocketAddr(address);
        try (Socket socket = new Socket()) {
            socket.connect(target, TIMEOUT_MILLIS);
            return true;
        } catch (IOException nobody) {
            return false;
        }
    }
}

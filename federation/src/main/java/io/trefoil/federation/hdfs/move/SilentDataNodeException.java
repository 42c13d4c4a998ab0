/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** Thrown when a DataNode has answered no order for so long that HDFS would have excluded it if it had been missing heartbeats. */
final class SilentDataNodeException extends IOException {

    private static final long serialVersionUID = 1;

    SilentDataNodeException(InetSocketAddress dataNode, Duration silence, Throwable lastFailure) {
        this(
                "DataNode " + dataNode + " has answered no order to link blocks for " + silence.toMinutes()
                        + " minutes, although NameNodes hear of it: mend it or stop it, and repeat the command when all"
                        + " blocks have their replicas",
                lastFailure);
    }

    private SilentDataNodeException(String text, Throwable lastFailure) {
        super(text, lastFailure);
    }

    /** A copy for another thread, which may add suppressed exceptions to it. */
    SilentDataNodeException copy() {
        return new SilentDataNodeException(getMessage(), getCause());
    }
}

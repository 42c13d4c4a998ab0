/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import io.netty.channel.Channel;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes a faulty connection, and counts whether the fault was the caller's or the node's. */
public final class FaultHandler {

    private static final Logger LOG = LoggerFactory.getLogger(FaultHandler.class);

    private FaultHandler() {}

    public static void close(Channel channel, Throwable cause, RefusalCounters refusals) {
        if (cause instanceof BadFrameException) {
            refusals.recordRefusal(
                    ((BadFrameException) cause).refusalCause(), channel.remoteAddress(), cause.getMessage());
        } else if (cause instanceof IOException) {
            LOG.debug("Connection broke remote={}", channel.remoteAddress(), cause);
        } else {
            refusals.recordFailure(channel.remoteAddress(), cause);
        }
        channel.close();
        if (cause instanceof OutOfMemoryError) {
            // Passed to the handler of uncaught exceptions: closing every connection from now on would not help.
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, cause);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.ipc;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection that a call came over. It is in Hadoop's package because a call says only there whether that is open, and closes it
 * nowhere.
 *
 * <p>Uses {@code Server.Call.isOpen}, {@code abortResponse}; {@code Server.closeConnection} and the connection of a call, which are private.
 */
public final class CallConnection {
    private static final Logger LOG = LoggerFactory.getLogger(CallConnection.class);

    private CallConnection() {}

    /** Whether the caller is still waiting for the answer. */
    public static boolean isOpen(Server.Call call) {
        return call.isOpen();
    }

    /**
     * Closes the connection of a call, so that its client gets no answer: that tells clients of every kind that the call may have been
     * executed. An exception would not: some take it for a refusal, and repeat the call under another id. The other calls of the connection
     * get no answer, either. A call that came over no connection fails with the given exception. Any thread.
     *
     * @param server whose call it is
     * @throws LinkageError if this version of Hadoop keeps connections elsewhere
     */
    public static void close(Server server, Server.Call call, StandbyException reason) {
        Class<?> kind = call.getClass();
        try {
            if (kind.getEnclosingClass() != Server.class) {
                call.abortResponse(reason);
                return;
            }
            Field connection = kind.getDeclaredField("connection");
            connection.setAccessible(true);
            Method close = Server.class.getDeclaredMethod("closeConnection", Server.Connection.class);
            close.setAccessible(true);
            close.invoke(server, connection.get(call));
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("A connection could not be closed", e.getCause());
        } catch (IOException gone) {
            LOG.debug("Response dropped because its client has disconnected: call={}", call, gone);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("This version of Hadoop keeps connections elsewhere", e);
        }
    }
}

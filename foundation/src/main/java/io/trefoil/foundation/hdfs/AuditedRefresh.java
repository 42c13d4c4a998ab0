/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Handles orders that arrive through HDFS's {@code GenericRefreshProtocol} as a name and words: they are admitted by {@link OrderAccess},
 * carried out, and answered with a code and a text, and their outcome is recorded. Thread-safe.
 *
 * <p>Uses {@code RefreshResponse}.
 */
public final class AuditedRefresh {

    private static final int DONE = 0;
    private static final int REFUSED = 1;

    private final String identifier;
    private final OrderAccess access;

    /** Carries out one order. */
    public interface Work {

        /**
         * Carries out the order, and returns the text of the answer.
         *
         * @throws OrderRefusedException if nothing was done; its message is then the answer
         */
        String execute() throws IOException;
    }

    /** @param identifier the name by which callers address this handler; also the sender of the answers */
    public AuditedRefresh(String identifier, OrderAccess access) {
        this.identifier = identifier;
        this.access = access;
    }

    /**
     * Admits the order of the RPC that this thread is handling: the first word is the order, the others are its object.
     *
     * @throws IOException if the caller may not give it, which is recorded
     */
    public AuditedOrder admit(List<String> arguments) throws IOException {
        return arguments.isEmpty()
                ? access.admit(AuditedOrder.UNKNOWN, "")
                : access.admit(arguments.get(0), String.join(" ", arguments.subList(1, arguments.size())));
    }

    /** Carries out an order and records its outcome: done, refused, or failed. */
    public RefreshResponse execute(AuditedOrder order, Work task) throws IOException {
        return executeQuery(order, () -> {
            String text = task.execute();
            access.audit().recordSuccess(order);
            return text;
        });
    }

    /** Answers a query, which changes nothing and is recorded only if it is refused or fails. */
    public RefreshResponse executeQuery(AuditedOrder order, Work task) throws IOException {
        try {
            return newResponse(DONE, task.execute());
        } catch (OrderRefusedException e) {
            access.audit().recordRefusal(order, e.getMessage());
            return newResponse(REFUSED, e.getMessage());
        } catch (IOException | RuntimeException e) {
            access.audit().recordFailure(order, e.toString());
            throw e;
        }
    }

    private RefreshResponse newResponse(int code, String text) {
        RefreshResponse response = new RefreshResponse(code, text);
        // Hadoop's translator cannot encode a response without a sender.
        response.setSenderName(identifier);
        return response;
    }
}

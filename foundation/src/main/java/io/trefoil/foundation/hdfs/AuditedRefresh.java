/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Handles orders that arrive by HDFS's {@code GenericRefreshProtocol}, as a name and words: {@link OrderAccess} admits
 * them, they are carried out and answered with a code and a text, and their outcome is recorded. Thread-safe.
 *
 * <p>Uses {@code RefreshResponse}.
 */
public final class AuditedRefresh {

    private static final int DONE = 0;
    private static final int REFUSED = 1;

    private final String identifier;
    private final OrderAccess access;

    /** Carries one order out. */
    public interface Work {

        /**
         * Carries the order out, and returns the text of the answer.
         *
         * @throws OrderRefusedException if nothing was done; its message is then the answer
         */
        String carryOut() throws IOException;
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
    public AuditedOrder admit(List<String> words) throws IOException {
        return words.isEmpty()
                ? access.admit(AuditedOrder.UNKNOWN, "")
                : access.admit(words.get(0), String.join(" ", words.subList(1, words.size())));
    }

    /** Carries an order out and records its outcome: done, refused, or failed. */
    public RefreshResponse answer(AuditedOrder order, Work work) throws IOException {
        return answerQuestion(order, () -> {
            String text = work.carryOut();
            access.audit().done(order);
            return text;
        });
    }

    /** Answers a question, which changes nothing: it is recorded only if it is refused or fails. */
    public RefreshResponse answerQuestion(AuditedOrder order, Work work) throws IOException {
        try {
            return response(DONE, work.carryOut());
        } catch (OrderRefusedException e) {
            access.audit().refused(order, e.getMessage());
            return response(REFUSED, e.getMessage());
        } catch (IOException | RuntimeException e) {
            access.audit().failed(order, e.toString());
            throw e;
        }
    }

    private RefreshResponse response(int code, String text) {
        RefreshResponse response = new RefreshResponse(code, text);
        // Hadoop's translator cannot encode a response without a sender.
        response.setSenderName(identifier);
        return response;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Orders that arrive by HDFS's {@code GenericRefreshProtocol}, a name and words: admitted by {@link OrderAccess}, carried out,
 * answered with a code and a text, and recorded with what became of them. Thread-safe.
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
         * Does what is wanted, and returns the text of the answer.
         *
         * @throws OrderRefusedException if nothing was done; its message is the answer then
         */
        String carryOut() throws IOException;
    }

    /** @param identifier which the caller names, and who sends the answers */
    public AuditedRefresh(String identifier, OrderAccess access) {
        this.identifier = identifier;
        this.access = access;
    }

    /**
     * The order of the caller of the RPC that this thread is carrying out: the first word, and the others as its object.
     *
     * @throws IOException if the caller may not give it, which is recorded
     */
    public AuditedOrder admit(List<String> words) throws IOException {
        return words.isEmpty()
                ? access.admit(AuditedOrder.UNKNOWN, "")
                : access.admit(words.get(0), String.join(" ", words.subList(1, words.size())));
    }

    /** Carries an order out and records its end: done, refused, or failed. */
    public RefreshResponse answer(AuditedOrder order, Work work) throws IOException {
        return answerQuestion(order, () -> {
            String text = work.carryOut();
            access.audit().done(order);
            return text;
        });
    }

    /** Carries out what leaves nothing behind: it is recorded only if it is refused or fails. */
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
        // Hadoop's translator cannot write one without.
        response.setSenderName(identifier);
        return response;
    }
}

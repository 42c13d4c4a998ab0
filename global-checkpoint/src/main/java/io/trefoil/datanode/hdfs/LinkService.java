/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.datanode.hdfs;

import io.trefoil.datanode.LinkOrder;
import io.trefoil.datanode.LinkOutcome;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.hdfs.OrderAccess;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.ipc.GenericRefreshProtocol;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Takes {@link LinkOrder}s off the wire, from those that {@link OrderAccess} lets in, and answers with a line for each block. Each
 * order is in the audit log of the DataNode.
 *
 * <p>Uses {@code GenericRefreshProtocol}, {@code RefreshResponse}.
 */
final class LinkService implements GenericRefreshProtocol {

    static final String IDENTIFIER = "trefoil-links";

    private static final int POOLS_END = 3;

    private final OrderAccess access;
    private final Orders orders;

    /** What is done to an order. */
    interface Orders {
        List<LinkOutcome> carryOut(LinkOrder order) throws IOException;
    }

    LinkService(OrderAccess access, Orders orders) {
        this.access = access;
        this.orders = orders;
    }

    @Override
    public Collection<RefreshResponse> refresh(String identifier, String[] arguments) throws IOException {
        List<String> words = Arrays.asList(arguments);
        AuditedOrder admitted = access.admit(
                words.isEmpty() ? AuditedOrder.UNKNOWN : words.get(0),
                String.join(" ", words.subList(Math.min(1, words.size()), Math.min(POOLS_END, words.size()))));
        return Collections.singleton(answer(admitted, identifier, words));
    }

    private RefreshResponse answer(AuditedOrder admitted, String identifier, List<String> words) throws IOException {
        LinkOrder order;
        try {
            if (!IDENTIFIER.equals(identifier)) {
                throw new IllegalArgumentException(
                        "Wanted an order for " + IDENTIFIER + ", found one for " + identifier);
            }
            order = LinkOrder.parse(words);
        } catch (IllegalArgumentException e) {
            access.audit().refused(admitted, e.getMessage());
            return response(1, e.getMessage());
        }
        try {
            List<LinkOutcome> outcomes = orders.carryOut(order);
            access.audit().done(admitted);
            return response(0, outcomes.stream().map(LinkOutcome::toString).collect(Collectors.joining("\n")));
        } catch (IOException | RuntimeException e) {
            access.audit().failed(admitted, e.toString());
            throw e;
        }
    }

    private static RefreshResponse response(int code, String text) {
        RefreshResponse response = new RefreshResponse(code, text);
        // Hadoop's translator cannot write one without.
        response.setSenderName(IDENTIFIER);
        return response;
    }
}

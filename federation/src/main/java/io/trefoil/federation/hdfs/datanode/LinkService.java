/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.datanode;

import io.trefoil.federation.datanode.LinkOrder;
import io.trefoil.federation.datanode.LinkOutcome;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.AuditedRefresh;
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
 * Receives {@link LinkOrder}s from callers that {@link OrderAccess} admits, and answers with a line for each block. The DataNode's audit
 * log has each order.
 *
 * <p>Uses {@code GenericRefreshProtocol}, {@code RefreshResponse}.
 */
final class LinkService implements GenericRefreshProtocol {

    static final String IDENTIFIER = "trefoil-links";

    private static final int POOLS_END = 3;

    private final AuditedRefresh refresh;
    private final Orders orders;

    /** Carries out an order. */
    interface Orders {
        List<LinkOutcome> carryOut(LinkOrder order) throws IOException;
    }

    LinkService(OrderAccess access, Orders orders) {
        this.refresh = new AuditedRefresh(IDENTIFIER, access);
        this.orders = orders;
    }

    @Override
    public Collection<RefreshResponse> refresh(String identifier, String[] arguments) throws IOException {
        List<String> orderArguments = Arrays.asList(arguments);
        AuditedOrder admitted = refresh.admit(orderArguments.subList(0, Math.min(POOLS_END, orderArguments.size())));
        return Collections.singleton(
                refresh.execute(admitted, () -> orders.carryOut(parse(identifier, orderArguments)).stream()
                        .map(LinkOutcome::toString)
                        .collect(Collectors.joining("\n"))));
    }

    private static LinkOrder parse(String identifier, List<String> arguments) throws OrderRefusedException {
        if (!IDENTIFIER.equals(identifier)) {
            throw new OrderRefusedException("Wanted an order for " + IDENTIFIER + ", found one for " + identifier);
        }
        try {
            return LinkOrder.parse(arguments);
        } catch (IllegalArgumentException e) {
            throw new OrderRefusedException(e.getMessage());
        }
    }
}

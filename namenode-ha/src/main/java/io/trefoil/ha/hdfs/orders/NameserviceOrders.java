/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.hdfs.AuditedRefresh;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.OrderMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Receives orders that concern a nameservice, through HDFS's own {@code GenericRefreshProtocol}, on the port of one of its
 * NameNodes, from callers that {@link OrderAccess} admits. Thread-safe.
 *
 * <p>Uses {@code RefreshRegistry}, {@code RefreshHandler}, {@code RefreshResponse}, {@code Configuration}.
 */
abstract class NameserviceOrders implements RefreshHandler, Closeable {

    /** The answer of a NameNode that could not carry out an order; another one may be able to. */
    static final int NOT_TAKEN = 2;

    private static final int REFUSED = 1;

    private final String identifier;
    private final String nameservice;
    private final OrderAccess access;
    private final AuditedRefresh refresh;

    /**
     * Creates the receiver, which receives no orders before {@link #start}.
     *
     * @param identifier by which callers address it
     */
    NameserviceOrders(String identifier, String nameservice, Configuration conf) {
        this.identifier = identifier;
        this.nameservice = nameservice;
        this.access = OrderAccess.forNameNodePort(conf, OrderMetrics.audit("Elections"));
        this.refresh = new AuditedRefresh(identifier, access);
    }

    /** Starts receiving orders. */
    public final void start() {
        RefreshRegistry.defaultRegistry().register(identifier, this);
    }

    @Override
    public final RefreshResponse handleRefresh(String unused, String[] arguments) {
        AuditedOrder order;
        try {
            order = access.admit(arguments.length == 0 ? AuditedOrder.UNKNOWN : arguments[0], object(arguments));
        } catch (IOException e) {
            return new RefreshResponse(REFUSED, e.getMessage());
        }
        try {
            return answer(refresh, order, arguments);
        } catch (IOException e) {
            return new RefreshResponse(NOT_TAKEN, String.valueOf(e.getMessage()));
        }
    }

    private String object(String... arguments) {
        List<String> object = new ArrayList<>(Arrays.asList("nameservice", nameservice));
        object.addAll(Arrays.asList(arguments).subList(Math.min(1, arguments.length), arguments.length));
        return String.join(" ", object);
    }

    /** Carries out an order that was admitted, or answers a query. */
    abstract RefreshResponse answer(AuditedRefresh refresh, AuditedOrder order, String... arguments) throws IOException;

    @Override
    public final void close() {
        RefreshRegistry.defaultRegistry().unregister(identifier, this);
    }
}

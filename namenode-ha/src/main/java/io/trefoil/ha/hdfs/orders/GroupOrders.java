/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.AuditedRefresh;
import io.trefoil.foundation.hdfs.OrderAccess;
import io.trefoil.foundation.hdfs.OrderMetrics;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshHandler;
import org.apache.hadoop.ipc.RefreshRegistry;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Receives the order to reread the list of NameNodes, and the question which NameNodes this one names to clients. Both
 * arrive through HDFS's own {@code GenericRefreshProtocol}, on the port of the NameNode concerned, from callers that
 * {@link OrderAccess} admits. Thread-safe.
 *
 * <p>Uses {@code RefreshRegistry}, {@code RefreshHandler}, {@code RefreshResponse}, {@code Configuration}.
 */
public final class GroupOrders implements RefreshHandler, Closeable {

    static final String SHOW = "show-namenodes";
    static final String REREAD = "reread-namenodes";

    private static final String IDENTIFIER = "trefoil-group-";
    private static final int REFUSED = 1;
    private static final int FAILED = 2;

    private final String nameservice;
    private final NamedGroup group;
    private final Supplier<Configuration> files;
    private final NamedGroup.Witness witness;
    private final OrderAccess access;
    private final AuditedRefresh refresh;

    /**
     * Receives nothing before {@link #start}.
     *
     * @param files reads the configuration of this host as it is now
     * @param witness is told of the new group, and may object
     */
    public GroupOrders(
            String nameservice,
            NamedGroup group,
            Supplier<Configuration> files,
            NamedGroup.Witness witness,
            Configuration conf) {
        this.nameservice = nameservice;
        this.group = group;
        this.files = files;
        this.witness = witness;
        this.access = OrderAccess.atNameNodesPort(conf, OrderMetrics.audit("Elections"));
        this.refresh = new AuditedRefresh(identifier(nameservice), access);
    }

    static String identifier(String nameservice) {
        return IDENTIFIER + nameservice;
    }

    /** Receives orders from now on. */
    public void start() {
        RefreshRegistry.defaultRegistry().register(identifier(nameservice), this);
    }

    @Override
    public RefreshResponse handleRefresh(String identifier, String[] words) {
        AuditedOrder order;
        try {
            order = access.admit(words.length == 0 ? AuditedOrder.UNKNOWN : words[0], "nameservice " + nameservice);
        } catch (IOException e) {
            return new RefreshResponse(REFUSED, e.getMessage());
        }
        boolean isQuestion = words.length == 1 && words[0].equals(SHOW);
        try {
            return isQuestion ? refresh.answerQuestion(order, this::text) : refresh.answer(order, () -> reread(words));
        } catch (IOException e) {
            return new RefreshResponse(FAILED, String.valueOf(e.getMessage()));
        }
    }

    private String reread(String... words) throws IOException {
        if (words.length != 1 || !words[0].equals(REREAD)) {
            throw new OrderRefusedException("Wanted " + SHOW + " or " + REREAD + ", found " + Arrays.toString(words));
        }
        group.reread(files.get(), witness);
        return text();
    }

    /** One line for each NameNode: its id and its address. */
    private String text() {
        StringBuilder lines = new StringBuilder();
        group.members()
                .forEach((id, address) ->
                        lines.append(id).append(' ').append(address).append('\n'));
        return lines.toString();
    }

    @Override
    public void close() {
        RefreshRegistry.defaultRegistry().unregister(identifier(nameservice), this);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.orders;

import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import io.trefoil.foundation.hdfs.AuditedRefresh;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;

/**
 * Receives the order to reread the list of NameNodes, and queries about the NameNodes that this one advertises to clients. Only
 * the NameNode concerned takes them. Thread-safe.
 *
 * <p>Uses {@code RefreshResponse}, {@code Configuration}.
 */
public final class GroupOrders extends NameserviceOrders {

    static final String SHOW = "show-namenodes";
    static final String REREAD = "reread-namenodes";

    private static final String IDENTIFIER = "trefoil-group-";

    private final ConfiguredGroup group;
    private final Supplier<Configuration> files;
    private final ConfiguredGroup.ReconfigurationListener reconfigurationListener;

    /**
     * Creates the receiver, which receives no orders before {@link #start}.
     *
     * @param files reads the configuration of this host as it is now
     * @param reconfigurationListener is told of the new group, and may object
     */
    public GroupOrders(
            String nameservice,
            ConfiguredGroup group,
            Supplier<Configuration> files,
            ConfiguredGroup.ReconfigurationListener reconfigurationListener,
            Configuration conf) {
        super(identifier(nameservice), nameservice, conf);
        this.group = group;
        this.files = files;
        this.reconfigurationListener = reconfigurationListener;
    }

    static String identifier(String nameservice) {
        return IDENTIFIER + nameservice;
    }

    @Override
    RefreshResponse answer(AuditedRefresh refresh, AuditedOrder order, String... arguments) throws IOException {
        boolean isQuestion = arguments.length == 1 && arguments[0].equals(SHOW);
        return isQuestion ? refresh.executeQuery(order, this::text) : refresh.execute(order, () -> reread(arguments));
    }

    private String reread(String... arguments) throws IOException {
        if (arguments.length != 1 || !arguments[0].equals(REREAD)) {
            throw new OrderRefusedException(
                    "Wanted " + SHOW + " or " + REREAD + ", found " + Arrays.toString(arguments));
        }
        group.reread(files.get(), reconfigurationListener);
        return text();
    }

    /** The group as text, one line for each NameNode: its id and its address. */
    private String text() {
        StringBuilder lines = new StringBuilder();
        group.members()
                .forEach((id, address) ->
                        lines.append(id).append(' ').append(address).append('\n'));
        return lines.toString();
    }
}

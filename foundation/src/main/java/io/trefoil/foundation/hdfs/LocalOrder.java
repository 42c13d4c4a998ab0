/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import java.io.IOException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * An order that is carried out locally: by a command, for the user who typed it, and with that user's own rights to files and pool nodes.
 * The audit log of the command's process records it.
 *
 * <p>Uses {@code UserGroupInformation}.
 */
public final class LocalOrder {

    /** The address recorded for orders given on this host. */
    static final String ADDRESS = "local";

    private LocalOrder() {}

    /**
     * Carries out the order.
     *
     * @param <T> the result
     */
    public interface Work<T> {
        T execute() throws IOException;
    }

    /** Carries out an order, and records its beginning and its outcome. */
    public static <T> T executeAudited(String order, String object, Work<T> task) throws IOException {
        AuditedOrder given = AuditedOrder.of(
                order, object, UserGroupInformation.getCurrentUser().toString(), ADDRESS);
        AuditLog audit = new AuditLog();
        audit.recordStart(given);
        try {
            T made = task.execute();
            audit.recordSuccess(given);
            return made;
        } catch (IOException | RuntimeException e) {
            audit.recordFailure(given, e.toString());
            throw e;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.clients;

import org.apache.hadoop.tools.fedbalance.DistCpProcedure;
import org.apache.hadoop.tools.fedbalance.FedBalance;

/** {@code hadoop fedbalance} without YARN: its own tests run its jobs so. */
public final class LocalFedBalance {
    private LocalFedBalance() {}

    /** @param arguments those of the command */
    public static void main(String[] arguments) {
        DistCpProcedure.enableForTest();
        FedBalance.main(arguments);
    }
}

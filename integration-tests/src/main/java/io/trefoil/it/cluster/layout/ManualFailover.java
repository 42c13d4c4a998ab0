/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

/** Failover by the test only. */
final class ManualFailover implements FailoverKind {

    @Override
    public boolean isAutomatic() {
        return false;
    }
}

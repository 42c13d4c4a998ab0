/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

/** Nobody but the test. */
final class ManualFailover implements FailoverKind {

    @Override
    public boolean isAutomatic() {
        return false;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.layout;

/** Nobody, unless the test does it. */
final class ManualFailover implements FailoverKind {

    @Override
    public boolean isAutomatic() {
        return false;
    }
}

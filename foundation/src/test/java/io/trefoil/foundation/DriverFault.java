/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

/** A driver did something that the rules did not ask for, or not what or when they did. */
public final class DriverFault extends RuntimeException {

    private static final long serialVersionUID = 1;

    public DriverFault(String description) {
        super("The driver " + description);
    }
}

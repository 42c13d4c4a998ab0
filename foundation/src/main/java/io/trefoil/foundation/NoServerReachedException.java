/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;

/**
 * Thrown if none of the processes that could have answered did; the message gives the reason for each. If the question was an
 * order, it is unknown whether any of them received it.
 */
public class NoServerReachedException extends IOException {

    private static final long serialVersionUID = 1;

    public NoServerReachedException(String text) {
        super(text);
    }
}

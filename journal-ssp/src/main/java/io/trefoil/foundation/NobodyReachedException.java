/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import java.io.IOException;

/** None of those who could have answered did; the text says why not, for each. If it was an order, nobody knows whether it was heard. */
public class NobodyReachedException extends IOException {

    private static final long serialVersionUID = 1;

    public NobodyReachedException(String text) {
        super(text);
    }
}

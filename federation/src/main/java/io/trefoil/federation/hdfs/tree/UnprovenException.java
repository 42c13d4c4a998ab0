/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.IOException;

/** What a tree has become does not follow from edits for sure; the message says why. It has to be read in full. */
final class UnprovenException extends IOException {

    private static final long serialVersionUID = 1;

    UnprovenException(String why) {
        super(why);
    }
}

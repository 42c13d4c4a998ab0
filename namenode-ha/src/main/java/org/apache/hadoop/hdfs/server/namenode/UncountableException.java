/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

/** Thrown if the effect of an edit on quota counts is unknown; the message says why. */
final class UncountableException extends Exception {
    private static final long serialVersionUID = 1L;

    UncountableException(String reason) {
        super(reason);
    }
}

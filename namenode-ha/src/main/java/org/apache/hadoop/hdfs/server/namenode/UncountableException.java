/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

/** Thrown if it is not known how an edit changes the counts of quotas; the text says why. */
final class UncountableException extends Exception {
    private static final long serialVersionUID = 1L;

    UncountableException(String why) {
        super(why);
    }
}

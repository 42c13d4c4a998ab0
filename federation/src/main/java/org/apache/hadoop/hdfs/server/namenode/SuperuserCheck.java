/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;

/**
 * Determines whether the call that this thread is executing was made by a superuser. It is in HDFS's package because that is
 * visible only there.
 *
 * <p>Uses {@code FSNamesystem.getPermissionChecker}, {@code FSPermissionChecker.isSuperUser}.
 */
public final class SuperuserCheck {

    private SuperuserCheck() {}

    /** Whether HDFS considers the caller a superuser. */
    public static boolean calls(FSNamesystem namesystem) throws IOException {
        return namesystem.getPermissionChecker().isSuperUser();
    }
}

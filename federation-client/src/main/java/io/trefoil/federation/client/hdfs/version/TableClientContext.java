/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import java.util.Arrays;
import org.apache.hadoop.ipc.CallerContext;

/**
 * The caller context of a client that follows the table. A NameNode tells it where a subtree is now, also if its user is a superuser, who
 * otherwise reaches what is left at the old owner.
 *
 * <p>Uses {@code CallerContext}, which threads inherit: one that is created inside such a call keeps the mark, also for later calls that a
 * superuser makes in it to a nameservice by name.
 */
public final class TableClientContext {
    private static final String NAME = "trefoilFollowsTable";

    /** HDFS's own separator between the fields of a context. */
    private static final String SEPARATOR = ",";

    private static final CallerContext ALONE = new CallerContext.Builder(NAME).build();

    private TableClientContext() {}

    /**
     * A context that includes all of another one.
     *
     * @param users the context of the user's thread; null, as in Hadoop, if there is none
     */
    public static CallerContext mergedWith(CallerContext users) {
        if (users == null || !users.isContextValid()) {
            return ALONE;
        }
        if (isPresentIn(users.getContext())) {
            return users;
        }
        return new CallerContext.Builder(users.getContext() + SEPARATOR + NAME)
                .setSignature(users.getSignature())
                .build();
    }

    /** Whether a client that follows the table has made the call with such a context. */
    public static boolean isPresentIn(String context) {
        return Arrays.asList(context.split(SEPARATOR)).contains(NAME);
    }
}

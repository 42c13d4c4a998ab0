/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import java.io.IOException;
import org.apache.hadoop.ipc.CallerContext;

/** Sets the caller context by which NameNodes recognize the purpose of this thread's calls. */
public final class CallerContexts {

    private CallerContexts() {}

    /** @param <T> the type of its result */
    public interface Call<T> {
        T run() throws IOException;
    }

    /** Makes a call with a context, in place of the thread's own. */
    public static <T> T callWithContext(String context, Call<T> call) throws IOException {
        CallerContext before = CallerContext.getCurrent();
        CallerContext.setCurrent(new CallerContext.Builder(context).build());
        try {
            return call.run();
        } finally {
            CallerContext.setCurrent(before);
        }
    }
}

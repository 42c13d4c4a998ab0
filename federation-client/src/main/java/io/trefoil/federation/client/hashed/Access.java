/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import com.google.auto.value.AutoValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The owner, group and permissions of a file or directory. Immutable. */
@AutoValue
public abstract class Access {

    /**
     * @param mode its permission bits, with the sticky bit
     * @param acl the entries that the bits do not have, of both scopes, as HDFS writes and sorts them
     */
    public static Access of(String owner, String group, int mode, List<String> acl) {
        return new AutoValue_Access(owner, group, mode, Collections.unmodifiableList(new ArrayList<>(acl)));
    }

    public abstract String owner();

    public abstract String group();

    public abstract int mode();

    public abstract List<String> acl();
}

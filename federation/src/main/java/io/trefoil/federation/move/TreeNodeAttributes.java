/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The properties of a file or directory besides its name and content, without access times. Access times are not among it. Immutable. */
@AutoValue
public abstract class TreeNodeAttributes {

    public static Builder builder() {
        return new AutoValue_TreeNodeAttributes.Builder()
                .length(0)
                .replication(0)
                .blockSize(0)
                .policy(0)
                .acl(Collections.emptyList())
                .attributes(Collections.emptySortedMap())
                .quotas(Collections.emptySortedMap());
    }

    /** A builder initialized with these traits. */
    public abstract Builder toBuilder();

    public abstract String owner();

    public abstract String group();

    /** The permission bits, including the sticky bit. */
    public abstract int permission();

    /** The modification time, in ms since 1970. */
    public abstract long modificationTime();

    /** The length in bytes; 0 for directories. */
    public abstract long length();

    /** The replication factor; 0 for directories. */
    public abstract int replication();

    /** The block size in bytes; 0 for directories. */
    public abstract long blockSize();

    /** The id of the storage policy, if it differs from that of the parent directory; otherwise 0. */
    public abstract int policy();

    /** The ACL entries beyond the permission, as HDFS writes them. */
    public abstract List<String> acl();

    /** The extended attributes: full names, with values in hexadecimal. */
    public abstract SortedMap<String, String> attributes();

    /** The quotas of a directory, for names and for space, if it has any. */
    public abstract SortedMap<String, Long> quotas();

    /** Collects the parts. */
    @AutoValue.Builder
    public abstract static class Builder {
        public abstract Builder owner(String owner);

        public abstract Builder group(String group);

        public abstract Builder permission(int permission);

        public abstract Builder modificationTime(long modificationTime);

        public abstract Builder length(long length);

        public abstract Builder replication(int replication);

        public abstract Builder blockSize(long blockSize);

        public abstract Builder policy(int policy);

        public abstract Builder acl(List<String> acl);

        public abstract Builder attributes(SortedMap<String, String> attributes);

        public abstract Builder quotas(SortedMap<String, Long> quotas);

        public abstract TreeNodeAttributes build();
    }

    /** An unmodifiable sorted copy. */
    public static <V> SortedMap<String, V> sorted(Map<String, V> map) {
        return Collections.unmodifiableSortedMap(new TreeMap<>(map));
    }
}

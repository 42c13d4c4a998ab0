/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;

/** A DataNode as a NameNode sees it. Immutable. */
@AutoValue
public abstract class SeenDataNode {

    /**
     * @param id its id, which it keeps for life
     * @param name for people, as {@code host:port}
     */
    public static SeenDataNode of(String id, String name, String ipcAddress, String webAddress) {
        return new AutoValue_SeenDataNode(id, name, ipcAddress, webAddress, false);
    }

    /** This DataNode, with the NameNode knowing its blocks. */
    public final SeenDataNode withBlocks() {
        return new AutoValue_SeenDataNode(id(), name(), ipcAddress(), webAddress(), true);
    }

    public abstract String id();

    public abstract String name();

    /** Where it takes orders, as {@code host:port}. */
    public abstract String ipcAddress();

    public abstract String webAddress();

    /** Whether it has reported its blocks to that NameNode. */
    public abstract boolean hasReported();
}

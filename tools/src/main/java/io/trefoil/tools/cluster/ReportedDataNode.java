/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import com.google.auto.value.AutoValue;

/** A DataNode, as seen by a NameNode. Immutable. */
@AutoValue
public abstract class ReportedDataNode {

    /**
     * @param id its id, which it keeps for life
     * @param name for people, as {@code host:port}
     */
    public static ReportedDataNode of(String id, String name, String ipcAddress, String webAddress) {
        return new AutoValue_ReportedDataNode(id, name, ipcAddress, webAddress, false);
    }

    /** A copy of this DataNode whose blocks are known to the NameNode. */
    public final ReportedDataNode withBlocks() {
        return new AutoValue_ReportedDataNode(id(), name(), ipcAddress(), webAddress(), true);
    }

    public abstract String id();

    public abstract String name();

    /** The address on which the DataNode accepts orders, as {@code host:port}. */
    public abstract String ipcAddress();

    public abstract String webAddress();

    /** Whether the DataNode has reported its blocks to the NameNode that sees it. */
    public abstract boolean hasReported();
}

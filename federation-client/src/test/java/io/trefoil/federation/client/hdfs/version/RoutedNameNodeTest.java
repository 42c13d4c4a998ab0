/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

class RoutedNameNodeTest {

    /** With numbers of files, of several owners, of two paths, or of what is known by a number alone. */
    private static final Set<String> REFUSED = Set.of(
            "addCacheDirective",
            "cancelDelegationToken",
            "concat",
            "createSymlink",
            "delete",
            "getBatchedListing",
            "getContentSummary",
            "getDelegationToken",
            "getEnclosingRoot",
            "getFileInfo",
            "getFileLinkInfo",
            "getLinkTarget",
            "getListing",
            "getLocatedFileInfo",
            "getQuotaUsage",
            "getSnapshotDiffReport",
            "getSnapshotDiffReportListing",
            "listCacheDirectives",
            "listCorruptFileBlocks",
            "listOpenFiles",
            "modifyCacheDirective",
            "removeCacheDirective",
            "rename",
            "rename2",
            "renewDelegationToken");

    /** A method that Hadoop adds is refused until a developer has thought about it. */
    @Test
    void everyMethodOfHdfsIsRoutedOrRefused() {
        List<String> known = new ArrayList<>(REFUSED);
        known.addAll(RoutedNameNode.PATH_CALLS);
        known.addAll(RoutedNameNode.BLOCK_CALLS);
        known.addAll(RoutedNameNode.FANNED_OUT_CALLS);
        known.addAll(RoutedNameNode.ROOT_CALLS);
        Set<String> all = new TreeSet<>();
        for (Method one : ClientProtocol.class.getMethods()) {
            all.add(one.getName());
        }

        assertThat(known).doesNotHaveDuplicates();
        assertThat(all).containsExactlyInAnyOrderElementsOf(known);
    }

    @Test
    void callsOfAdministratorsAreRoutedByTheirPaths() {
        assertThat(RoutedNameNode.PATH_CALLS).containsAll(RoutedNameNode.ADMINISTRATOR_CALLS);
    }

    @Test
    void routedMethodsHaveTheirPathsFirst() {
        for (Method one : ClientProtocol.class.getMethods()) {
            if (RoutedNameNode.PATH_CALLS.contains(one.getName())) {
                int index = one.getName().equals("abandonBlock") ? 2 : 0;
                assertThat(one.getParameterTypes()[index]).as(one.toString()).isEqualTo(String.class);
            } else if (RoutedNameNode.ROOT_CALLS.contains(one.getName())) {
                assertThat(Arrays.asList(one.getParameterTypes()).contains(String[].class)
                                && !one.getName().equals("getECTopologyResultForPolicies"))
                        .as(one.toString())
                        .isFalse();
            }
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.subtrees;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The paths in the requests of one method of {@code ClientProtocol}, and whether it changes what they name. A method that
 * is not known to only read counts as a change, so those that a newer HDFS adds do. Immutable.
 *
 * <p>Uses {@code ClientNamenodeProtocol.getDescriptor}.
 */
final class CallPaths {
    /** The fields that are paths, by their names on the wire. */
    static final Set<String> FIELDS =
            set("src", "dst", "trg", "srcs", "path", "paths", "link", "snapshotRoot", "zone", "filename");

    /** The methods with paths that change nothing, except the time of an access. */
    static final Set<String> READS = set(
            "checkAccess",
            "getAclStatus",
            "getAdditionalDatanode",
            "getBatchedListing",
            "getBlockLocations",
            "getContentSummary",
            "getEZForPath",
            "getEnclosingRoot",
            "getErasureCodingPolicy",
            "getFileInfo",
            "getFileLinkInfo",
            "getLinkTarget",
            "getListing",
            "getLocatedFileInfo",
            "getPreferredBlockSize",
            "getQuotaUsage",
            "getSnapshotDiffReport",
            "getSnapshotDiffReportListing",
            "getSnapshotListing",
            "getStoragePolicy",
            "getXAttrs",
            "isFileClosed",
            "listCorruptFileBlocks",
            "listOpenFiles",
            "listXAttrs",
            // Its file is in the NameNode's own log folder.
            "metaSave");

    /**
     * The changes of a file that is open for writing, which end with it. They need its lease, so where no file is open they
     * change nothing, and none is opened in a frozen subtree. If they waited, no file could be closed.
     */
    static final Set<String> OF_OPEN_FILES = set("abandonBlock", "addBlock", "complete", "fsync");

    private static final Map<String, CallPaths> OF_HDFS = ofHdfs();

    private final List<FieldDescriptor> fields;
    private final boolean reads;
    private final boolean changes;

    private CallPaths(MethodDescriptor method) {
        List<FieldDescriptor> found = new ArrayList<>();
        for (FieldDescriptor field : method.getInputType().getFields()) {
            if (field.getJavaType() == FieldDescriptor.JavaType.STRING && FIELDS.contains(field.getName())) {
                found.add(field);
            }
        }
        this.fields = found;
        String name = method.getName();
        this.reads = !found.isEmpty() && READS.contains(name) && !name.equals("metaSave");
        this.changes = !found.isEmpty() && !READS.contains(name) && !OF_OPEN_FILES.contains(name);
    }

    private static Set<String> set(String... names) {
        return Collections.unmodifiableSet(new HashSet<>(Arrays.asList(names)));
    }

    private static Map<String, CallPaths> ofHdfs() {
        Map<String, CallPaths> all = new HashMap<>();
        for (MethodDescriptor method : ClientNamenodeProtocol.getDescriptor().getMethods()) {
            all.put(method.getName(), new CallPaths(method));
        }
        return Collections.unmodifiableMap(all);
    }

    static CallPaths of(MethodDescriptor method) {
        return OF_HDFS.get(method.getName());
    }

    /** Whether it only reads what its paths name; false if it has none. */
    boolean reads() {
        return reads;
    }

    /** Whether it may change what its paths name, more than an open file; false if it has none. */
    boolean changes() {
        return changes;
    }

    /** The paths in a request. */
    List<String> in(Message request) {
        List<String> paths = new ArrayList<>();
        for (FieldDescriptor field : fields) {
            if (field.isRepeated()) {
                for (int i = 0; i < request.getRepeatedFieldCount(field); i++) {
                    paths.add((String) request.getRepeatedField(field, i));
                }
            } else {
                paths.add((String) request.getField(field));
            }
        }
        return paths;
    }
}

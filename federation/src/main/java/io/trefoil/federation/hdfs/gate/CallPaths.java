/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.marks.NormalizedPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * The paths in the requests of one method of {@code ClientProtocol}, and whether it changes the files and directories at
 * them. A method that is not known to only read counts as a change, so those that a newer HDFS adds do. Immutable.
 *
 * <p>Uses {@code ClientNamenodeProtocol.getDescriptor}.
 */
final class CallPaths {
    /** The fields that are paths, by their names on the wire. */
    static final Set<String> FIELDS =
            set("src", "dst", "trg", "srcs", "path", "paths", "link", "snapshotRoot", "zone", "filename");

    /** The methods with paths that change nothing except access times. */
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
            "listCacheDirectives",
            "listCorruptFileBlocks",
            "listOpenFiles",
            "listXAttrs",
            // Its file is in the NameNode's own log directory.
            "metaSave");

    /** The methods that HDFS answers to any user that may enter the directory around the named path. */
    static final Set<String> STATUS_CALLS = set("getFileInfo", "getFileLinkInfo");

    /** The methods that read the whole content of a directory, and are refused if the caller may not read all of it. */
    static final Set<String> SUMS = set("getContentSummary", "getQuotaUsage");

    /**
     * The methods that change a file which is open for writing; they end when it is closed. They need its lease, so where no file is open
     * they change nothing, and none is opened in a frozen subtree. If they waited, no file could be closed.
     */
    static final Set<String> OPEN_FILE_CALLS = set("abandonBlock", "addBlock", "complete", "fsync");

    private static final Map<String, CallPaths> HDFS_CALLS = createHdfsCalls();

    /** The places of the paths in a message: its own fields, and nested messages, as for the path of a cache directive. */
    private static final class PathFields {
        private final List<FieldDescriptor> own = new ArrayList<>();
        private final Map<FieldDescriptor, PathFields> inner = new LinkedHashMap<>();

        /** @param enclosingTypes the messages that contain this one: one that contains itself is not entered once more */
        private static PathFields of(Descriptor message, Set<Descriptor> enclosingTypes) {
            PathFields places = new PathFields();
            Set<Descriptor> withThis = new HashSet<>(enclosingTypes);
            withThis.add(message);
            for (FieldDescriptor field : message.getFields()) {
                if (field.getJavaType() == FieldDescriptor.JavaType.STRING && FIELDS.contains(field.getName())) {
                    places.own.add(field);
                } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                        && !withThis.contains(field.getMessageType())) {
                    PathFields fields = of(field.getMessageType(), withThis);
                    if (!fields.isEmpty()) {
                        places.inner.put(field, fields);
                    }
                }
            }
            return places;
        }

        private boolean isEmpty() {
            return own.isEmpty() && inner.isEmpty();
        }

        /** Adds the paths in a message; a field that the caller omitted names no path. */
        private void addTo(List<String> paths, Message message) {
            for (FieldDescriptor field : own) {
                for (Object path : values(message, field)) {
                    paths.add((String) path);
                }
            }
            inner.forEach((field, places) -> {
                for (Object element : values(message, field)) {
                    places.addTo(paths, (Message) element);
                }
            });
        }

        private static List<Object> values(Message message, FieldDescriptor field) {
            List<Object> values = new ArrayList<>();
            if (field.isRepeated()) {
                for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                    values.add(message.getRepeatedField(field, i));
                }
            } else if (message.hasField(field)) {
                values.add(message.getField(field));
            }
            return values;
        }
    }

    private final PathFields places;
    private final boolean isOfStatus;
    private final boolean reads;
    private final boolean sums;
    private final boolean changes;

    private CallPaths(MethodDescriptor method) {
        this.places = PathFields.of(method.getInputType(), Collections.emptySet());
        String name = method.getName();
        this.reads = !places.isEmpty() && READS.contains(name) && !name.equals("metaSave");
        this.isOfStatus = STATUS_CALLS.contains(name);
        this.sums = SUMS.contains(name);
        this.changes = !places.isEmpty() && !READS.contains(name) && !OPEN_FILE_CALLS.contains(name);
    }

    private static Set<String> set(String... names) {
        return Collections.unmodifiableSet(new HashSet<>(Arrays.asList(names)));
    }

    private static Map<String, CallPaths> createHdfsCalls() {
        Map<String, CallPaths> all = new HashMap<>();
        for (MethodDescriptor method : ClientNamenodeProtocol.getDescriptor().getMethods()) {
            all.put(method.getName(), new CallPaths(method));
        }
        return Collections.unmodifiableMap(all);
    }

    static CallPaths of(MethodDescriptor method) {
        return HDFS_CALLS.get(method.getName());
    }

    /** Whether the call only reads its paths; false if it has none. */
    boolean isRead() {
        return reads;
    }

    /** Whether the call reads everything below its paths. */
    boolean readsWholeTree() {
        return sums;
    }

    /** Whether the call may change more at its paths than an open file; false if it has none. */
    boolean isChange() {
        return changes;
    }

    /**
     * The paths in a request for which the caller needs permission: if only an inode's status is requested, that of its parent directory.
     */
    List<String> pathsToCheckAccess(Message request) {
        return isOfStatus
                ? pathsIn(request).stream().map(CallPaths::parentOf).collect(Collectors.toList())
                : pathsIn(request);
    }

    private static String parentOf(String path) {
        String text = NormalizedPath.normalize(path);
        return text.substring(0, Math.max(1, text.lastIndexOf('/')));
    }

    /** The paths in a request. */
    List<String> pathsIn(Message request) {
        List<String> paths = new ArrayList<>();
        places.addTo(paths, request);
        return paths;
    }
}

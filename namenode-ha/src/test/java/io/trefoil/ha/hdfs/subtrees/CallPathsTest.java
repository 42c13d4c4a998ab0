/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.subtrees;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.junit.jupiter.api.Test;

class CallPathsTest {
    /** Texts in the requests of ClientProtocol that are no paths of its namespace. */
    private static final Set<String> OTHER_TEXTS = new TreeSet<>(Arrays.asList(
            "arg",
            "client",
            "clientName",
            "cookie",
            "ecPolicyName",
            "favoredNodes",
            "existingStorageUuids",
            "fromSnapshot",
            "groupname",
            "holder",
            "keyName",
            "namespaces",
            "policies",
            "policyName",
            "poolName",
            "prevPoolName",
            "renewer",
            "snapshotName",
            "snapshotNewName",
            "snapshotOldName",
            "storageIDs",
            "storagePolicy",
            // Of a symbolic link: not looked at before somebody follows it.
            "target",
            "toSnapshot",
            "username"));

    private static List<MethodDescriptor> methods() {
        return ClientNamenodeProtocol.getDescriptor().getMethods();
    }

    private static MethodDescriptor method(String name) {
        return ClientNamenodeProtocol.getDescriptor().findMethodByName(name);
    }

    @Test
    void everyTextInARequestIsKnownToBeAPathOrNot() {
        Set<String> unknown = new TreeSet<>();
        for (MethodDescriptor method : methods()) {
            for (FieldDescriptor field : method.getInputType().getFields()) {
                if (field.getJavaType() == FieldDescriptor.JavaType.STRING
                        && !CallPaths.FIELDS.contains(field.getName())
                        && !OTHER_TEXTS.contains(field.getName())) {
                    unknown.add(method.getName() + " " + field.getName());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void whatHdfsCallsReadOnlyIsNoChangeAndNothingElse() {
        Set<String> readOnly = Arrays.stream(ClientProtocol.class.getMethods())
                .filter(method -> method.isAnnotationPresent(ReadOnly.class))
                .map(Method::getName)
                .collect(Collectors.toSet());
        Set<String> known = Arrays.stream(ClientProtocol.class.getMethods())
                .map(Method::getName)
                .collect(Collectors.toSet());
        Set<String> otherReads = new TreeSet<>();
        for (MethodDescriptor method : methods()) {
            if (readOnly.contains(method.getName())) {
                assertThat(CallPaths.of(method).changes()).as(method.getName()).isFalse();
            } else if (CallPaths.READS.contains(method.getName()) && known.contains(method.getName())) {
                otherReads.add(method.getName());
            }
        }
        // The first allocates nothing in the namespace; the second is for the active only; the third writes a log file.
        assertThat(otherReads).containsExactly("getAdditionalDatanode", "metaSave");
    }

    @Test
    void findsThePathsOfARequest() {
        assertThat(CallPaths.of(method("rename"))
                        .in(RenameRequestProto.newBuilder()
                                .setSrc("/a")
                                .setDst("/b")
                                .build()))
                .containsExactlyInAnyOrder("/a", "/b");
        assertThat(CallPaths.of(method("concat"))
                        .in(ConcatRequestProto.newBuilder()
                                .setTrg("/t")
                                .addSrcs("/1")
                                .addSrcs("/2")
                                .build()))
                .containsExactlyInAnyOrder("/t", "/1", "/2");
        for (String change : new String[] {
            "create",
            "append",
            "setXAttr",
            "createSymlink",
            "setQuota",
            "deleteSnapshot",
            "recoverLease",
            "reencryptEncryptionZone",
            "satisfyStoragePolicy"
        }) {
            assertThat(CallPaths.of(method(change)).changes()).as(change).isTrue();
        }
        for (String other : new String[] {
            "renewLease",
            "msync",
            "rollEdits",
            "updatePipeline",
            "metaSave",
            "addBlock",
            "complete",
            "fsync",
            "abandonBlock"
        }) {
            assertThat(CallPaths.of(method(other)).changes()).as(other).isFalse();
            assertThat(CallPaths.of(method(other)).reads()).as(other).isFalse();
        }
        assertThat(CallPaths.of(method("getFileInfo")).reads()).isTrue();
    }
}

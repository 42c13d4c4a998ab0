/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AddCacheDirectiveRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CacheDirectiveInfoProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ConcatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ModifyCacheDirectiveRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameRequestProto;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.Descriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.DynamicMessage;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.Test;

class CallPathsTest {
    /** Texts in the requests of ClientProtocol that are no paths of its namespace. */
    private static final Set<String> OTHER_TEXTS = new TreeSet<>(Arrays.asList(
            "arg",
            "client",
            "clientName",
            "codecName",
            "cookie",
            "datanodeUuid",
            "ecPolicyName",
            "favoredNodes",
            "existingStorageUuids",
            "fromSnapshot",
            "groupName",
            "groupname",
            "holder",
            "hostName",
            "ipAddr",
            "key",
            "keyName",
            "kind",
            // Of a DataNode, in the network.
            "location",
            // Of an extended attribute, of an entry of an ACL.
            "name",
            "namespaces",
            "ownerName",
            "policies",
            "policyName",
            "pool",
            "poolId",
            "poolName",
            "prevPoolName",
            "renewer",
            "service",
            "snapshotName",
            "snapshotNewName",
            "snapshotOldName",
            "storageIDs",
            "storagePolicy",
            // Of a symbolic link: not looked at before a client follows it.
            "target",
            "toSnapshot",
            "upgradeDomain",
            "username",
            "value"));

    private static List<MethodDescriptor> methods() {
        return ClientNamenodeProtocol.getDescriptor().getMethods();
    }

    private static MethodDescriptor method(String name) {
        return ClientNamenodeProtocol.getDescriptor().findMethodByName(name);
    }

    @Test
    void classifiesEachRequestTextAsPathOrOther() {
        Set<String> unknown = new TreeSet<>();
        for (MethodDescriptor method : methods()) {
            for (FieldDescriptor field : textFields(method.getInputType(), new HashSet<>())) {
                if (!CallPaths.FIELDS.contains(field.getName()) && !OTHER_TEXTS.contains(field.getName())) {
                    unknown.add(method.getName() + " " + field.getFullName());
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    /** Whatever message it is in: a cache directive is one in the request. */
    @Test
    void findsPathsInAllRequests() {
        Set<String> missed = new TreeSet<>();
        Set<String> nested = new TreeSet<>();
        for (MethodDescriptor method : methods()) {
            Set<String> wanted = new TreeSet<>();
            Message request = fillMessage(method.getInputType(), "", wanted);
            List<String> found = CallPaths.of(method).pathsIn(request);
            wanted.stream().filter(path -> !found.contains(path)).forEach(path -> missed.add(method.getName() + path));
            assertThat(found).as(method.getName()).hasSameSizeAs(wanted);
            wanted.stream().filter(path -> path.lastIndexOf('/') > 0).forEach(path -> nested.add(method.getName()));
        }
        assertThat(missed).isEmpty();
        assertThat(nested).contains("addCacheDirective", "modifyCacheDirective", "listCacheDirectives");
    }

    /** A message in which each path says where it is: its fields from the outermost on. */
    private static Message fillMessage(Descriptor type, String path, Set<String> paths) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            String here = path + "/" + field.getName();
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                setField(message, field, fillMessage(field.getMessageType(), here, paths));
            } else if (field.getJavaType() == FieldDescriptor.JavaType.STRING
                    && CallPaths.FIELDS.contains(field.getName())) {
                setField(message, field, here);
                paths.add(here);
            }
        }
        return message.buildPartial();
    }

    private static void setField(DynamicMessage.Builder message, FieldDescriptor field, Object value) {
        if (field.isRepeated()) {
            message.addRepeatedField(field, value);
        } else {
            message.setField(field, value);
        }
    }

    private static Set<FieldDescriptor> textFields(Descriptor type, Set<Descriptor> visitedTypes) {
        Set<FieldDescriptor> texts = new HashSet<>();
        if (visitedTypes.add(type)) {
            for (FieldDescriptor field : type.getFields()) {
                if (field.getJavaType() == FieldDescriptor.JavaType.STRING) {
                    texts.add(field);
                } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                    texts.addAll(textFields(field.getMessageType(), visitedTypes));
                }
            }
        }
        return texts;
    }

    @Test
    void absentOptionalPathNamesNothing() {
        assertThat(CallPaths.of(method("modifyCacheDirective"))
                        .pathsIn(ModifyCacheDirectiveRequestProto.newBuilder()
                                .setInfo(CacheDirectiveInfoProto.newBuilder().setId(7))
                                .build()))
                .isEmpty();
        assertThat(CallPaths.of(method("addCacheDirective"))
                        .pathsIn(AddCacheDirectiveRequestProto.newBuilder()
                                .setInfo(CacheDirectiveInfoProto.newBuilder().setPath("/a/b"))
                                .build()))
                .containsExactly("/a/b");
    }

    @Test
    void readsMatchHdfsReadOnlyAnnotation() {
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
                assertThat(CallPaths.of(method).isChange()).as(method.getName()).isFalse();
            } else if (CallPaths.READS.contains(method.getName()) && known.contains(method.getName())) {
                otherReads.add(method.getName());
            }
        }
        // The first allocates nothing in the namespace; the second is for the active only; the third writes a log file.
        assertThat(otherReads).containsExactly("getAdditionalDatanode", "metaSave");
    }

    @Test
    void findsPathsOfRequest() {
        assertThat(CallPaths.of(method("rename"))
                        .pathsIn(RenameRequestProto.newBuilder()
                                .setSrc("/a")
                                .setDst("/b")
                                .build()))
                .containsExactlyInAnyOrder("/a", "/b");
        assertThat(CallPaths.of(method("concat"))
                        .pathsIn(ConcatRequestProto.newBuilder()
                                .setTrg("/t")
                                .addSrcs("/1")
                                .addSrcs("/2")
                                .build()))
                .containsExactlyInAnyOrder("/t", "/1", "/2");
        for (String change : new String[] {
            "create",
            "append",
            "setXAttr",
            "addCacheDirective",
            "modifyCacheDirective",
            "createSymlink",
            "setQuota",
            "deleteSnapshot",
            "recoverLease",
            "reencryptEncryptionZone",
            "satisfyStoragePolicy"
        }) {
            assertThat(CallPaths.of(method(change)).isChange()).as(change).isTrue();
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
            assertThat(CallPaths.of(method(other)).isChange()).as(other).isFalse();
            assertThat(CallPaths.of(method(other)).isRead()).as(other).isFalse();
        }
        assertThat(CallPaths.of(method("getFileInfo")).isRead()).isTrue();
        assertThat(CallPaths.of(method("listCacheDirectives")).isRead()).isTrue();
    }
}

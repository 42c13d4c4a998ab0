/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ReadOnly;
import org.apache.hadoop.io.retry.AtMostOnce;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.junit.jupiter.api.Test;

/** What is answered without a look at the journal tells nothing of the namespace. How answers wait is {@code ReadCommittedIT}'s. */
class ClientCallsTest {
    private static final List<String> PROMISED_TO_OBSERVERS_BUT_CONSTANT =
            List.of("getDataEncryptionKey", "getErasureCodingCodecs", "getServerDefaults", "getStoragePolicies");

    @Test
    void immediatelyAnsweredMethodsExistInHdfs() {
        assertThat(ClientNamenodeProtocol.getDescriptor().getMethods())
                .extracting(MethodDescriptor::getName)
                .containsAll(ClientCalls.NAMESPACE_FREE_CALLS);
    }

    @Test
    void noImmediatelyAnsweredMethodIsCoordinatedRead() {
        List<String> reads = methods(method -> method.isAnnotationPresent(ReadOnly.class)
                && method.getAnnotation(ReadOnly.class).isCoordinated());

        assertThat(reads).contains("getFileInfo", "getListing", "getBlockLocations");
        reads.removeAll(PROMISED_TO_OBSERVERS_BUT_CONSTANT);
        assertThat(ClientCalls.NAMESPACE_FREE_CALLS).doesNotContainAnyElementsOf(reads);
    }

    @Test
    void noImmediatelyAnsweredMethodIsAtMostOnce() {
        List<String> changes = methods(method -> method.isAnnotationPresent(AtMostOnce.class));

        assertThat(changes).contains("create", "delete", "rename");
        // It waits for the journal with HDFS's lock held.
        changes.remove("saveNamespace");
        assertThat(ClientCalls.NAMESPACE_FREE_CALLS).doesNotContainAnyElementsOf(changes);
    }

    /** Even of a write that goes on: whether its file is there may have been changed by another client whose edit is still under way. */
    @Test
    void noImmediatelyAnsweredMethodRevealsFileOrBlock() {
        List<String> fileOrBlock = List.of("src", "path", "fileId", "blk", "block");

        assertThat(ClientNamenodeProtocol.getDescriptor().getMethods())
                .filteredOn(method -> ClientCalls.NAMESPACE_FREE_CALLS.contains(method.getName()))
                .flatExtracting(method -> method.getInputType().getFields())
                .extracting(FieldDescriptor::getName)
                .doesNotContainAnyElementsOf(fileOrBlock);
    }

    private static List<String> methods(Predicate<Method> which) {
        return new ArrayList<>(Arrays.stream(ClientProtocol.class.getDeclaredMethods())
                .filter(which)
                .map(Method::getName)
                .toList());
    }
}

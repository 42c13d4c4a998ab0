/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.junit.jupiter.api.Test;

/** Whose namespace another host may begin with. */
class BootstrapAnswersTest {
    private static final Message ANSWER = VersionResponseProto.getDefaultInstance();

    private final BlockingService hdfs = new ClientCalls(null) {
        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request) {
            return ANSWER;
        }
    };

    private Message ask(String method, BootstrapAnswers.Objection objection) throws Exception {
        return new BootstrapAnswers(hdfs, objection)
                .callBlockingMethod(NamenodeProtocolService.getDescriptor().findMethodByName(method), null, null);
    }

    @Test
    void aNamespaceInForceIsGiven() throws Exception {
        assertThat(ask("versionRequest", Optional::empty)).isSameAs(ANSWER);
    }

    @Test
    void aVoidOneIsRefusedWithTheReason() {
        assertThatThrownBy(() -> ask("versionRequest", () -> Optional.of("Transactions may be lost.")))
                .hasMessageContaining("Take the namespace of another NameNode. Transactions may be lost.");
    }

    @Test
    void oneOfWhichThatCannotBeToldIsRefused() {
        assertThatThrownBy(() -> ask("versionRequest", () -> {
                    throw new IOException("disk");
                }))
                .hasMessageContaining("disk");
    }

    @Test
    void whatElseNameNodesAskEachOtherIsAnsweredAsEver() throws Exception {
        assertThat(ask("getTransactionId", () -> Optional.of("void"))).isSameAs(ANSWER);
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What is left of Hadoop's words about a failed call. */
class RpcFailureTest {

    @Test
    void textContainsOnlyCauseWhenHadoopWrapsIt() {
        assertThat(RpcFailure.describe(
                        new IOException("Call From vm/127.0.0.1 to host1:8020 failed on connection exception:"
                                + " java.net.ConnectException: Connection refused; For more details see: "
                                + " http://wiki.apache.org/hadoop/ConnectionRefused")))
                .isEqualTo("ConnectException: Connection refused");
        assertThat(RpcFailure.describe(new IOException("Call From vm/127.0.0.1 to host1:8020 failed on socket timeout"
                        + " exception: org.apache.hadoop.net.ConnectTimeoutException: 20000 millis timeout; For more"
                        + " details see:  http://wiki.apache.org/hadoop/SocketTimeout")))
                .isEqualTo("ConnectTimeoutException: 20000 millis timeout");
    }

    @Test
    void textIsFirstLineWhenServerStackTraceFollows() {
        assertThat(RpcFailure.describe(new IOException("Disallowed RPC access from root\n\tat io.trefoil")))
                .isEqualTo("Disallowed RPC access from root");
        assertThat(RpcFailure.describe(new IOException((String) null))).isEqualTo("null");
    }
}

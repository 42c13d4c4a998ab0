/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.state;

import java.io.IOException;
import java.util.concurrent.atomic.LongAccumulator;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;

/**
 * Up to which transaction the clients that share it have seen a nameservice. Thread-safe.
 *
 * <p>Uses {@code AlignmentContext}, {@code RpcRequestHeaderProto}, {@code RpcResponseHeaderProto}.
 */
final class SeenState {
    private final LongAccumulator txid = new LongAccumulator(Math::max, Long.MIN_VALUE);

    /**
     * Creates one client's share in the state: it hears what that client is told, and demands what any client was told.
     *
     * @param own what the client itself was told, by which it decides when it may ask observers
     */
    AlignmentContext with(AlignmentContext own) {
        return new Joined(own);
    }

    private final class Joined implements AlignmentContext {
        private final AlignmentContext own;

        Joined(AlignmentContext own) {
            this.own = own;
        }

        @Override
        public void receiveResponseState(RpcResponseHeaderProto header) {
            own.receiveResponseState(header);
            if (header.hasStateId()) {
                txid.accumulate(header.getStateId());
            }
        }

        @Override
        public void updateRequestState(RpcRequestHeaderProto.Builder header) {
            own.updateRequestState(header);
            long seen = txid.get();
            if (seen != Long.MIN_VALUE && (!header.hasStateId() || header.getStateId() < seen)) {
                header.setStateId(seen);
            }
        }

        @Override
        public void updateResponseState(RpcResponseHeaderProto.Builder header) {
            own.updateResponseState(header);
        }

        @Override
        public long receiveRequestState(RpcRequestHeaderProto header, long threshold) throws IOException {
            return own.receiveRequestState(header, threshold);
        }

        @Override
        public long getLastSeenStateId() {
            return own.getLastSeenStateId();
        }

        @Override
        public boolean isCoordinatedCall(String protocol, String method) {
            return own.isCoordinatedCall(protocol, method);
        }
    }
}

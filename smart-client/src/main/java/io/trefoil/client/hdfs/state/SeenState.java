/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs.state;

import java.io.IOException;
import java.util.concurrent.atomic.LongAccumulator;
import org.apache.hadoop.ipc.AlignmentContext;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;

/**
 * Records the transaction up to which the clients that share this have seen a nameservice. Thread-safe.
 *
 * <p>Uses {@code AlignmentContext}, {@code RpcRequestHeaderProto}, {@code RpcResponseHeaderProto}.
 */
final class SeenState {
    private final LongAccumulator txid = new LongAccumulator(Math::max, Long.MIN_VALUE);

    /**
     * Creates one client's view of the state: it records everything this client sees, and requires everything any client has seen.
     *
     * @param ownContext what the client itself was told, by which it decides when it may ask observers
     */
    AlignmentContext contextFor(AlignmentContext ownContext) {
        return new SharedContext(ownContext);
    }

    private final class SharedContext implements AlignmentContext {
        private final AlignmentContext ownContext;

        SharedContext(AlignmentContext ownContext) {
            this.ownContext = ownContext;
        }

        @Override
        public void receiveResponseState(RpcResponseHeaderProto header) {
            ownContext.receiveResponseState(header);
            if (header.hasStateId()) {
                txid.accumulate(header.getStateId());
            }
        }

        @Override
        public void updateRequestState(RpcRequestHeaderProto.Builder header) {
            ownContext.updateRequestState(header);
            long seen = txid.get();
            if (seen != Long.MIN_VALUE && (!header.hasStateId() || header.getStateId() < seen)) {
                header.setStateId(seen);
            }
        }

        @Override
        public void updateResponseState(RpcResponseHeaderProto.Builder header) {
            ownContext.updateResponseState(header);
        }

        @Override
        public long receiveRequestState(RpcRequestHeaderProto header, long threshold) throws IOException {
            return ownContext.receiveRequestState(header, threshold);
        }

        @Override
        public long getLastSeenStateId() {
            return ownContext.getLastSeenStateId();
        }

        @Override
        public boolean isCoordinatedCall(String protocol, String method) {
            return ownContext.isCoordinatedCall(protocol, method);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.codec.WireFrame;

/** A request from the wire. */
final class ReceivedRequest implements InboundRequest {

    private final WireFrame frame;
    private final PoolRequest request;
    private final ReplySender answers;

    ReceivedRequest(WireFrame frame, ReplySender answers) {
        this.frame = frame;
        this.request = (PoolRequest) frame.message();
        this.answers = answers;
    }

    @Override
    public PoolRequest request() {
        return request;
    }

    @Override
    public void answer(PoolReply reply) {
        answers.answer(frame.requestId(), reply);
    }

    int length() {
        return frame.length();
    }
}

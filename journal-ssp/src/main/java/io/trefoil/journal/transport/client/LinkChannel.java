/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.client;

import io.trefoil.journal.protocol.PoolRequest;

/** The channel through which a link currently sends its requests. */
interface LinkChannel {

    /** The absence of a session: drops all messages. */
    LinkChannel DOWN = new LinkChannel() {
        @Override
        public void send(PoolRequest request) {}

        @Override
        public void flush() {}

        @Override
        public void closeAbruptly() {}
    };

    void send(PoolRequest request);

    void flush();

    void closeAbruptly();
}

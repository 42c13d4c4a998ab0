/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes down what it is told. */
public final class FakePinService implements PinService {

    public final List<String> orders = new ArrayList<>();
    public final List<String> refused = new ArrayList<>();
    public Optional<String> refusal = Optional.empty();

    @Override
    public String pin(long txId, long keepFrom, Optional<Duration> duration) throws IOException {
        return note("pin " + txId + " from " + keepFrom
                + duration.map(time -> " for " + time).orElse(""));
    }

    @Override
    public String unpin(String name) throws IOException {
        return note("unpin " + name);
    }

    @Override
    public String pinForRenewal(String nameNode, long txId, Duration duration) throws IOException {
        return note("renew " + nameNode + " behind " + txId);
    }

    @Override
    public String unpinAfterRenewal(String nameNode) throws IOException {
        return note("renewed " + nameNode);
    }

    private String note(String order) throws IOException {
        if (refusal.isPresent()) {
            refused.add(order);
            throw new IOException(refusal.get());
        }
        orders.add(order);
        return "Done: " + order;
    }
}

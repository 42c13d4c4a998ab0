/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.names;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A name service whose answers change, that fails and that hangs; between new look-ups it keeps answers, as a JVM does. */
public final class FakeNames implements NameService {
    private final Map<String, String> present = new ConcurrentHashMap<>();
    private final Map<String, String> cached = new ConcurrentHashMap<>();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private volatile boolean gone;

    public void setAddress(String host, String address) {
        present.put(host, address);
    }

    /** From now on there are no answers, and what the JVM kept is over. */
    public void vanish() {
        cached.clear();
        gone = true;
    }

    /** From now on no question ends. */
    public void hang() {
        cached.clear();
        gate = new CountDownLatch(1);
    }

    public void release() {
        gate.countDown();
    }

    public int lookupCount() {
        return asked.get();
    }

    @Override
    public List<InetAddress> lookUp(String host) throws IOException {
        String kept = cached.get(host);
        return kept == null ? lookUpUncached(host) : List.of(InetAddress.getByName(kept));
    }

    @Override
    public List<InetAddress> lookUpUncached(String host) throws IOException {
        asked.incrementAndGet();
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        String address = present.get(host);
        if (gone || address == null) {
            throw new UnknownHostException(host);
        }
        cached.putIfAbsent(host, address);
        return List.of(InetAddress.getByName(address));
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;

/** Connections of a process that ends before one of its calls that change something: from then on none of its calls arrives. */
public final class DyingProxyProvider<T> extends ConfiguredFailoverProxyProvider<T> {

    /** Names the process; the number of calls after it. */
    static final String KEY = "test.dying";

    private static final Pattern CHANGE = Pattern.compile(
            "create.*|append|addBlock|complete|rename.*|delete.*|mkdirs|set.*|unset.*|allow.*|disallow.*|remove.*");

    private static final Map<String, AtomicInteger> LEFT = new ConcurrentHashMap<>();

    private final AtomicInteger left;

    public DyingProxyProvider(Configuration conf, URI uri, Class<T> protocol, HAProxyFactory<T> factory) {
        super(conf, uri, protocol, factory);
        left = LEFT.get(conf.get(KEY));
    }

    /** Gives a process so many changes; the counter tells how many are left, below zero after its death. */
    static AtomicInteger live(Configuration conf, String process, int changes) {
        AtomicInteger counter = new AtomicInteger(changes);
        LEFT.put(process, counter);
        conf.set(KEY, process);
        for (String name : new String[] {"ns1", "ns2"}) {
            conf.set("dfs.client.failover.proxy.provider." + name, DyingProxyProvider.class.getName());
        }
        return counter;
    }

    @Override
    @SuppressWarnings("unchecked")
    public synchronized ProxyInfo<T> getProxy() {
        ProxyInfo<T> real = super.getProxy();
        T dying = (T) Proxy.newProxyInstance(
                DyingProxyProvider.class.getClassLoader(),
                real.proxy.getClass().getInterfaces(),
                (proxy, method, arguments) -> {
                    boolean changes = CHANGE.matcher(method.getName()).matches();
                    if (changes ? left.getAndDecrement() <= 0 : left.get() < 0) {
                        left.set(-1);
                        throw new DeadException();
                    }
                    try {
                        return method.invoke(real.proxy, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        return new ProxyInfo<>(dying, real.proxyInfo);
    }

    /** Nothing that the program handles. */
    static final class DeadException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}

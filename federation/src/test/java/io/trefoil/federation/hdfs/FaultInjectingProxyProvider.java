/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.SocketException;
import java.net.URI;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.ipc.RemoteException;

/** Connections of a process to which something happens at one of its calls that change something. */
public final class FaultInjectingProxyProvider<T> extends ConfiguredFailoverProxyProvider<T> {

    /** Names the process; what happens to it is kept under this name. */
    public static final String KEY = "test.dying";

    private static final Pattern CHANGE = Pattern.compile(
            "create.*|append|addBlock|complete|rename.*|delete.*|mkdirs|set.*|unset.*|allow.*|disallow.*|remove.*");
    /** There is no such file, so nothing changes when a move asks for the lock of changes; it does so as often as it can. */
    private static final String PROBED = "/.trefoil-asked-for-its-lock";

    private static final Map<String, ClientProcess> LIVES = new ConcurrentHashMap<>();

    private final ClientProcess life;
    private final URI uri;

    /** What happens at the call. Of a process that has died no further call arrives. */
    public enum CallFault {
        DIES_BEFORE,
        /** The call is executed. */
        DIES_AFTER,
        /** One error; the process lives on. */
        FAILS_BEFORE,
        /** The call is executed, and the process is told that it was not. */
        FAILS_AFTER,
        /** The call is on its way until the process is told to go on, as with a machine that is stopped. */
        STANDS_STILL;

        private boolean isExecuted() {
            return this == DIES_AFTER || this == FAILS_AFTER;
        }

        boolean isDeath() {
            return this == DIES_BEFORE || this == DIES_AFTER;
        }
    }

    /** A process, until something happens to it and afterwards. Thread-safe. */
    public static final class ClientProcess {
        private final CallFault fault;
        private final AtomicInteger left;
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private volatile boolean isOver;
        private volatile CallInTransit last;

        private ClientProcess(int changes, CallFault fault) {
            this.fault = fault;
            this.left = new AtomicInteger(changes);
        }

        /** Whether it came to the call at which something happens. */
        public boolean hasReachedFault() {
            return left.get() < 0;
        }

        /** Whether it has come to the call before which it stands still. */
        boolean hasPaused() {
            return last != null;
        }

        /** Lets a process that stands still go on: its call arrives now. */
        void resume() {
            goesOn.countDown();
        }

        /** The call at which something happened, as it was sent. */
        CallInTransit lastCall() {
            return last;
        }

        /** @param read a call that changes nothing; it uses up the number that HDFS's client has for the next call of this thread */
        private Object call(CallInTransit callInTransit, Call call, boolean changes, Call read) throws Throwable {
            if (isOver) {
                throw new ProcessDeathException();
            }
            if (!changes || left.getAndDecrement() != 0) {
                return call.run();
            }
            last = callInTransit;
            isOver = fault.isDeath();
            if (fault == CallFault.STANDS_STILL) {
                goesOn.await();
                return call.run();
            }
            if (fault.isExecuted()) {
                call.run();
            }
            if (fault.isDeath()) {
                throw new ProcessDeathException();
            }
            if (!fault.isExecuted()) {
                read.run();
            }
            // HDFS's client repeats what was lost on the way, and does not repeat what a server answers.
            throw new RemoteException(SocketException.class.getName(), "Something is wrong with this call");
        }
    }

    /** A call on its way: its sender may have ended when it arrives. */
    public static final class CallInTransit {
        private final String nameservice;
        private final Method method;
        private final Object[] arguments;
        private final CallerContext context = CallerContext.getCurrent();

        private CallInTransit(String nameservice, Method method, Object[] arguments) {
            this.nameservice = nameservice;
            this.method = method;
            this.arguments = arguments;
        }

        String nameservice() {
            return nameservice;
        }

        String method() {
            return method.getName();
        }

        /** What it names first. */
        String firstPath() {
            return String.valueOf(arguments[0]);
        }

        /** Arrives at last; returns normally whatever the answer is. */
        void deliver(ClientProtocol nameNode) throws IllegalAccessException {
            CallerContext before = CallerContext.getCurrent();
            CallerContext.setCurrent(context);
            try {
                method.invoke(nameNode, arguments);
            } catch (InvocationTargetException e) {
                // No caller waits for the answer any more.
                System.out.println(this + " was refused: " + e.getCause());
            } finally {
                CallerContext.setCurrent(before);
            }
        }

        @Override
        public String toString() {
            return method.getName() + " at " + nameservice + " of " + Arrays.toString(arguments);
        }
    }

    /** A call of the NameNode. */
    private interface Call {
        Object run() throws Throwable;
    }

    public FaultInjectingProxyProvider(Configuration conf, URI uri, Class<T> protocol, HAProxyFactory<T> factory) {
        super(conf, uri, protocol, factory);
        this.uri = uri;
        life = LIVES.get(conf.get(KEY));
    }

    /** Gives a process so many changes before the one at which it dies. */
    public static ClientProcess startProcess(Configuration conf, String process, int changes) {
        return startProcess(conf, process, changes, CallFault.DIES_BEFORE);
    }

    /** Gives a process so many changes before the one at which something happens to it. */
    public static ClientProcess startProcess(Configuration conf, String process, int changes, CallFault fault) {
        ClientProcess life = new ClientProcess(changes, fault);
        LIVES.put(process, life);
        conf.set(KEY, process);
        for (String name : new String[] {"ns1", "ns2"}) {
            conf.set("dfs.client.failover.proxy.provider." + name, FaultInjectingProxyProvider.class.getName());
        }
        return life;
    }

    @Override
    @SuppressWarnings("unchecked")
    public synchronized ProxyInfo<T> getProxy() {
        ProxyInfo<T> real = super.getProxy();
        T dying = (T) Proxy.newProxyInstance(
                FaultInjectingProxyProvider.class.getClassLoader(),
                real.proxy.getClass().getInterfaces(),
                (proxy, method, arguments) -> life.call(
                        new CallInTransit(uri.getHost(), method, arguments),
                        () -> invoke(method, real.proxy, arguments),
                        isMutation(method, arguments),
                        ((ClientProtocol) real.proxy)::getServerDefaults));
        return new ProxyInfo<>(dying, real.proxyInfo);
    }

    private static boolean isMutation(Method method, Object[] arguments) {
        return CHANGE.matcher(method.getName()).matches()
                && (arguments == null || arguments.length == 0 || !PROBED.equals(arguments[0]));
    }

    private static Object invoke(Method method, Object delegate, Object[] arguments) throws Throwable {
        try {
            return method.invoke(delegate, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Nothing that the program handles. */
    public static final class ProcessDeathException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.ActiveFinder;
import io.trefoil.client.GroupView;
import io.trefoil.client.HangWatch;
import io.trefoil.client.MemberAnswer;
import io.trefoil.client.MemberProbe;
import io.trefoil.client.SharedAnswers;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.net.NetUtils;

/**
 * Sends each call to the active NameNode, and finds a new one by itself when that fails, hangs or is active no more. Named in
 * {@code dfs.client.failover.proxy.provider.<nameservice>}; needs nothing on the servers.
 *
 * <p>A call has one operation id, the RPC client id and call id, through all its attempts, so that the retry cache of a new
 * active recognises what the old one had executed. It fails when no NameNode was active for
 * {@code dfs.client.smart.failover.timeout}, with {@link NoActiveNameNodeException}; whether it was executed is unknown then.
 * Paper, section 4.4.
 *
 * <p>For any number of threads. Construction is cheap: HDFS also builds one only to ask whether the URI is a logical one.
 * Threads are made when they are needed, are daemons, and end when they are idle.
 *
 * <p>Uses {@code AbstractNNFailoverProxyProvider.getProxyAddresses} and {@code createProxyIfNeeded},
 * {@code NameNodeProxiesClient.createNonHAProxyWithClientProtocol}, {@code ClientProtocol.getHAServiceState}, which every user
 * may call, {@code HAUtilClient.cloneDelegationTokenForLogicalUri}, {@code NetUtils.createSocketAddr},
 * {@code UserGroupInformation.getRealAuthenticationMethod}.
 *
 * @param <T> any interface that HDFS asks a provider for
 */
public class SmartFailoverProxyProvider<T> extends AbstractNNFailoverProxyProvider<T> {
    private static final long IDLE_SECONDS = 5;

    /**
     * What providers of a process have in common: what NameNodes say of themselves, what they publish, and the thread that watches
     * calls. HDFS makes each provider by itself and gives it no place where another one could be found.
     */
    private static final SharedAnswers<MemberAnswer> ROLES = new SharedAnswers<>();

    private static final SharedAnswers<Optional<String>> VIEWS = new SharedAnswers<>();
    private static final ScheduledExecutorService WATCH = watch();

    private final URI uri;
    private final List<NameNodeMember<T, ClientProtocol>> members = new CopyOnWriteArrayList<>();
    private final long patienceMillis;
    /** Equal in clients that would believe each other. */
    private final List<Object> trust;

    private final ExecutorService threads;
    private final ActiveFinder<NameNodeMember<T, ClientProtocol>> finder;
    private final HangWatch<NameNodeMember<T, ClientProtocol>> watch;
    private final ViewReader<T> views;
    private final ObserverReads<T> reads;
    private final ProxyInfo<T> proxy;
    // Guarded by this.
    private Configuration probeConf;

    /** As HDFS calls it. */
    public SmartFailoverProxyProvider(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        this(conf, uri, xface, factory, ObserverReads.none());
    }

    SmartFailoverProxyProvider(
            Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory, ObserverReads<T> reads) {
        super(conf, uri, xface, factory);
        this.uri = uri;
        this.reads = reads;
        String nameservice = uri.getHost();
        long patience = ClientSetting.PROBE_TIMEOUT.time(conf, nameservice).toNanos();
        long suspect = ClientSetting.SUSPECT_AFTER.time(conf, nameservice).toNanos();
        long budget = ClientSetting.TIMEOUT.time(conf, nameservice).toNanos();
        this.patienceMillis = TimeUnit.NANOSECONDS.toMillis(patience);
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> daemon(task, "smart-client-" + nameservice));
        List<NNProxyInfo<T>> configured = getProxyAddresses(uri, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
        boolean asOneProcess = ClientSetting.SHARE_ANSWERS.isOn(conf, nameservice);
        this.trust = Arrays.asList(
                ugi.getRealAuthenticationMethod(),
                conf.get("hadoop.security.authentication"),
                conf.get("ipc.client.fallback-to-simple-auth-allowed"),
                conf.get("hadoop.rpc.protection"),
                conf.get("hadoop.rpc.socket.factory.class.default"),
                conf.get("hadoop.ssl.client.conf"));
        this.views = new ViewReader<>(
                this.conf,
                nameservice,
                ugi,
                members,
                this::learn,
                threads,
                asOneProcess ? VIEWS : new SharedAnswers<>(),
                Arrays.asList(
                        nameservice,
                        configured.stream().map(NNProxyInfo::getAddress).collect(Collectors.toSet()),
                        trust));
        this.finder = new ActiveFinder<>(
                () -> members,
                new Probe(),
                threads,
                views::readNow,
                asOneProcess ? ROLES : new SharedAnswers<>(),
                patience,
                suspect / 2);
        this.watch = new HangWatch<>(WATCH, finder, suspect, budget);
        for (NNProxyInfo<T> info : configured) {
            members.add(member(info, views.httpOf(info.getAddress())));
        }
        views.readCache();
        this.proxy = new ProxyInfo<>(
                xface.cast(Proxy.newProxyInstance(
                        SmartFailoverProxyProvider.class.getClassLoader(),
                        new Class<?>[] {xface},
                        new SmartInvocationHandler<>(uri, finder, watch, views, reads, members, budget))),
                uri.toString());
    }

    /** One thread for all providers, which ends when there is nothing to watch. */
    private static ScheduledExecutorService watch() {
        ScheduledThreadPoolExecutor watch =
                new ScheduledThreadPoolExecutor(1, task -> daemon(task, "smart-client-watch"));
        watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        return watch;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private ClientProtocol probeOf(InetSocketAddress address) throws IOException {
        return NameNodeProxiesClient.createNonHAProxyWithClientProtocol(
                address, probeConf(), ugi, false, getFallbackToSimpleAuth());
    }

    /**
     * Questions have connections of their own: that of the calls may be the one that hangs. Made when it is needed, as a
     * configuration is large, and a process may have many clients of which one asks.
     */
    private synchronized Configuration probeConf() {
        if (probeConf == null) {
            probeConf = new Configuration(conf);
            probeConf.setLong("ipc.client.rpc-timeout.ms", patienceMillis);
        }
        return probeConf;
    }

    private NameNodeMember<T, ClientProtocol> member(NNProxyInfo<T> info, String http) {
        return new NameNodeMember<>(
                info.getAddress(), http, () -> createProxyIfNeeded(info).proxy, () -> probeOf(info.getAddress()));
    }

    /** Asks NameNodes. */
    private final class Probe implements MemberProbe<NameNodeMember<T, ClientProtocol>> {
        @Override
        public MemberAnswer ask(NameNodeMember<T, ClientProtocol> member) throws IOException {
            HAServiceState state = member.probe().getHAServiceState();
            switch (state) {
                case ACTIVE:
                    return MemberAnswer.active();
                case OBSERVER:
                    return MemberAnswer.observer();
                default:
                    return MemberAnswer.other(state.toString());
            }
        }

        /** Who trusts other servers, or is known to them in another way, must ask for itself. */
        @Override
        public Object shared(NameNodeMember<T, ClientProtocol> member) {
            return Arrays.asList(member.address(), trust);
        }

        @Override
        public void heard(NameNodeMember<T, ClientProtocol> member, MemberAnswer answer) {
            reads.heard(member, answer);
        }
    }

    /** Takes members in that were not known. None is taken out: who is gone is not active, and costs a question. */
    private synchronized void learn(GroupView view) {
        for (GroupView.Member found : view.members()) {
            InetSocketAddress address = NetUtils.createSocketAddr(found.rpc());
            NameNodeMember<T, ClientProtocol> known = memberAt(address);
            if (known == null) {
                HAUtilClient.cloneDelegationTokenForLogicalUri(ugi, uri, Collections.singleton(address));
                NameNodeMember<T, ClientProtocol> added =
                        member(new NNProxyInfo<>(address), ViewReader.reachable(found.http(), address));
                members.add(added);
                LOG.info("NameNode {} of {} is not configured here, but a member of the group", added, uri);
            } else if (!found.http().isEmpty()) {
                known.setHttp(ViewReader.reachable(found.http(), address));
            }
        }
    }

    private NameNodeMember<T, ClientProtocol> memberAt(InetSocketAddress address) {
        for (NameNodeMember<T, ClientProtocol> member : members) {
            InetSocketAddress its = member.address();
            if (its.equals(address)
                    || (its.getPort() == address.getPort()
                            && its.getHostString().equalsIgnoreCase(address.getHostString()))) {
                return member;
            }
        }
        return null;
    }

    @Override
    public ProxyInfo<T> getProxy() {
        return proxy;
    }

    /** Called only for calls that this client does not send again by itself: the asynchronous ones. */
    @Override
    public void performFailover(T currentProxy) {
        finder.known().ifPresent(finder::lost);
    }

    /** A nameservice is always named by its logical URI here. */
    @Override
    public boolean useLogicalURI() {
        return true;
    }

    @Override
    public void close() throws IOException {
        watch.close();
        threads.shutdownNow();
        for (NameNodeMember<T, ClientProtocol> member : members) {
            member.close();
        }
    }
}

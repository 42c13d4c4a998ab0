/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.ActiveFinder;
import io.trefoil.client.ConfirmedMembers;
import io.trefoil.client.HungCallDetector;
import io.trefoil.client.MemberAnswer;
import io.trefoil.client.MemberProbe;
import io.trefoil.client.MovedHostResolver;
import io.trefoil.client.SharedProbeResults;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.server.namenode.ha.AbstractNNFailoverProxyProvider;
import org.apache.hadoop.hdfs.server.namenode.ha.HAProxyFactory;
import org.apache.hadoop.net.NetUtils;

/**
 * Sends each call to the active NameNode, and finds a new one on its own when that one fails, hangs or is no longer
 * active. Configured in {@code dfs.client.failover.proxy.provider.<nameservice>}; requires nothing on the servers.
 *
 * <p>A call keeps one operation id, the RPC client id and call id, through all its attempts, so that a new active's
 * retry cache recognises what the old active executed. If no NameNode was active for {@code
 * trefoil.client.failover.timeout}, it fails with {@link NoActiveNameNodeException}; whether it was executed is then
 * unknown. Paper, section 4.4.
 *
 * <p>For any number of threads. Construction is cheap, because HDFS sometimes creates one just to ask whether a URI is
 * a logical one. Threads are created on demand, are daemons, and end when idle.
 *
 * <p>Uses {@code AbstractNNFailoverProxyProvider.getProxyAddresses} and {@code createProxyIfNeeded}, {@code
 * HAUtilClient.cloneDelegationTokenForLogicalUri}, {@code NetUtils.createSocketAddr} and {@code createSocketAddrForHost}, {@code
 * UserGroupInformation.getRealAuthenticationMethod}.
 *
 * @param <T> any interface that HDFS asks a provider for
 */
public class SmartFailoverProxyProvider<T> extends AbstractNNFailoverProxyProvider<T> {
    private static final long IDLE_SECONDS = 5;
    /** The interval at which all NameNodes are probed while all is well: members change rarely, and by hand. */
    private static final long REFRESH_NANOS = TimeUnit.MINUTES.toNanos(10);

    private static final String CONNECT_TIMEOUT = "ipc.client.connect.timeout";
    private static final String IDLE = "ipc.client.connection.maxidletime";
    private static final int IDLE_DEFAULT_MILLIS = 10_000;
    /** The divisor of the interval that gives the age up to which the clients of a process share answers to periodic probes. */
    private static final int FRESH_FRACTION = 10;

    /**
     * State shared by all providers of a process: what NameNodes report about themselves, and the thread that watches
     * calls. HDFS creates each provider separately and gives it no way to find another one.
     */
    private static final SharedProbeResults<MemberAnswer> ROLES = new SharedProbeResults<>();

    private static final ScheduledExecutorService WATCH = watchExecutor();

    /** The moved hosts known to this process, shared by all clients: any of them may be the one that probes a NameNode for the others. */
    private static final MovedHostResolver HOSTS = MovedHostResolver.ofThisSystem();

    private final URI uri;
    /** The members whose answers are trusted. */
    private final List<NameNodeMember<T>> configured;

    private final List<NameNodeMember<T>> members = new CopyOnWriteArrayList<>();
    private final ConfirmedMembers<NameNodeMember<T>> vouched;
    private final long probeMillis;
    /** Identifies the client's trust; equal in clients that would trust each other's answers. */
    private final List<Object> trust;

    private final ExecutorService threads;
    private final ActiveFinder<NameNodeMember<T>> finder;
    private final HungCallDetector<NameNodeMember<T>> watch;
    private final JitteredSchedule refresh;
    private final ObserverReads<T> reads;
    private final ProxyInfo<T> proxy;
    // Guarded by this.
    private Configuration probeConf;

    /** The constructor that HDFS calls. */
    public SmartFailoverProxyProvider(Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory) {
        this(conf, uri, xface, factory, ObserverReads.none());
    }

    SmartFailoverProxyProvider(
            Configuration conf, URI uri, Class<T> xface, HAProxyFactory<T> factory, ObserverReads<T> reads) {
        super(conf, uri, xface, factory);
        RoleRequest.loadClasses();
        UnknownClientSettings.warnOnce(conf);
        this.uri = uri;
        this.reads = reads;
        String nameservice = uri.getHost();
        long probeNanos = RetryBudget.probeNanos(conf);
        long suspect = ClientSetting.SUSPECT_AFTER.time(conf, nameservice).toNanos();
        this.vouched = new ConfirmedMembers<>(2 * REFRESH_NANOS);
        this.refresh = new JitteredSchedule(REFRESH_NANOS);
        this.probeMillis = TimeUnit.NANOSECONDS.toMillis(probeNanos);
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> daemon(task, "smart-client-" + nameservice));
        this.configured = Collections.unmodifiableList(
                getProxyAddresses(uri, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY).stream()
                        .map(this::member)
                        .collect(Collectors.toList()));
        members.addAll(configured);
        RetryBudget retryBudget = new RetryBudget(conf, nameservice, members.size());
        this.trust = Arrays.asList(
                ugi.getRealAuthenticationMethod(),
                conf.get("hadoop.security.authentication"),
                conf.get("ipc.client.fallback-to-simple-auth-allowed"),
                conf.get("hadoop.rpc.protection"),
                conf.get("hadoop.rpc.socket.factory.class.default"),
                conf.get("hadoop.ssl.client.conf"));
        this.finder = new ActiveFinder<>(
                () -> members, new Probe(), threads, ROLES, retryBudget::busyBackoffNanos, probeNanos, suspect / 2);
        this.watch = new HungCallDetector<>(WATCH, finder, suspect, retryBudget.hangNanos());
        this.proxy = new ProxyInfo<>(
                xface.cast(Proxy.newProxyInstance(
                        SmartFailoverProxyProvider.class.getClassLoader(),
                        new Class<?>[] {xface},
                        new SmartInvocationHandler<>(
                                uri, finder, watch, this::probeIfDue, reads, members, retryBudget))),
                uri.toString());
    }

    /** The executor of one thread for all providers; the thread exits when there is nothing to watch. */
    private static ScheduledExecutorService watchExecutor() {
        ScheduledThreadPoolExecutor watch =
                new ScheduledThreadPoolExecutor(1, task -> daemon(task, "smart-client-watch"));
        watch.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        watch.allowCoreThreadTimeOut(true);
        watch.setRemoveOnCancelPolicy(true);
        return watch;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * The configuration for probes. They use separate connections, as the connection of the calls may hang. Made when first needed, because
     * a configuration is large, and a process may have many clients of which only one asks.
     */
    private synchronized Configuration probeConf() {
        if (probeConf == null) {
            probeConf = new Configuration(conf);
            // Shorter than the time until the next question, so that it is known which question failed.
            long soon = probeMillis - probeMillis / 10;
            probeConf.setLong("ipc.client.rpc-timeout.ms", soon);
            probeConf.setLong("ipc.client.connect.timeout", Math.min(soon, conf.getLong(CONNECT_TIMEOUT, soon)));
            // If the questions lack a new ticket, the calls fetch it, as in stock clients.
            probeConf.setInt("ipc.client.connect.max.retries.on.sasl", 0);
        }
        return probeConf;
    }

    private NameNodeMember<T> member(NNProxyInfo<T> info) {
        InetSocketAddress knownAddress = info.getAddress();
        return new NameNodeMember<>(
                knownAddress, HOSTS, (at, lostConnections) -> newProxy(knownAddress, at, lostConnections), at -> {
                    if (!at.equals(knownAddress)) {
                        HAUtilClient.cloneDelegationTokenForLogicalUri(ugi, uri, Collections.singleton(at));
                    }
                    return new RoleRequest(at, probeConf(), ugi);
                });
    }

    /**
     * Creates a proxy with a connection other than those that were lost, as HDFS shares connections with equal settings.
     *
     * @param at where the host is now
     */
    private synchronized T newProxy(InetSocketAddress knownAddress, InetSocketAddress at, int lostConnections) {
        InetSocketAddress address = at;
        if (lostConnections > 0 && at.equals(knownAddress)) {
            address = NetUtils.createSocketAddrForHost(knownAddress.getHostString(), knownAddress.getPort());
        }
        if (!address.equals(knownAddress)) {
            HAUtilClient.cloneDelegationTokenForLogicalUri(ugi, uri, Collections.singleton(address));
        }
        int idleMillis = conf.getInt(IDLE, IDLE_DEFAULT_MILLIS);
        conf.setInt(IDLE, idleMillis + lostConnections);
        try {
            return createProxyIfNeeded(new NNProxyInfo<>(address)).proxy;
        } finally {
            conf.setInt(IDLE, idleMillis);
        }
    }

    /** Probes NameNodes. */
    private final class Probe implements MemberProbe<NameNodeMember<T>> {
        @Override
        public MemberAnswer probe(NameNodeMember<T> member) throws IOException {
            return HOSTS.query(member.address(), at -> probeAt(member, at), threads, WATCH);
        }

        private MemberAnswer probeAt(NameNodeMember<T> member, InetSocketAddress address) throws IOException {
            RoleRequest question = member.probe(address);
            try {
                return question.send();
            } catch (IOException e) {
                member.renewProbeIfMoved(question);
                throw e;
            }
        }

        /** The identity of a client's probes: a client that trusts other servers, or has another identity, must send its own. */
        @Override
        public Object sharingKey(NameNodeMember<T> member) {
            return Arrays.asList(member.address(), trust);
        }

        @Override
        public boolean isConfigured(NameNodeMember<T> member) {
            return configured.contains(member);
        }

        @Override
        public void onAnswer(NameNodeMember<T> member, MemberAnswer answer) {
            reads.recordAnswer(member, answer);
            if (!answer.members().isEmpty()
                    && configured.contains(member)
                    && vouched.recordVouchers(member, answer.members(), System.nanoTime())) {
                adoptAsync();
            }
        }
    }

    /** Probes the members that are due. Called after each call, so it costs next to nothing. */
    private void probeIfDue() {
        if (refresh.isDue()) {
            finder.refresh(refresh.periodNanos() / FRESH_FRACTION);
        }
    }

    /** Adopts members on another thread, because resolving a name may take time. */
    private void adoptAsync() {
        try {
            threads.execute(this::adopt);
        } catch (RejectedExecutionException closed) {
            LOG.debug("The client is closed and adopts no more NameNodes");
        }
    }

    /** Adds members that trusted ones vouch for, and drops those that no trusted one vouches for any longer. */
    private synchronized void adopt() {
        List<NameNodeMember<T>> named = new ArrayList<>(configured);
        boolean isNew = false;
        for (String text : vouched.members()) {
            try {
                InetSocketAddress address = NetUtils.createSocketAddr(text);
                Optional<NameNodeMember<T>> known = memberAt(address);
                if (!known.isPresent()) {
                    HAUtilClient.cloneDelegationTokenForLogicalUri(ugi, uri, Collections.singleton(address));
                    known = Optional.of(member(new NNProxyInfo<>(address)));
                    members.add(known.get());
                    isNew = true;
                    LOG.info(
                            "Adopting a NameNode that a configured one reported: namenode={} uri={}", known.get(), uri);
                }
                named.add(known.get());
            } catch (IllegalArgumentException e) {
                LOG.warn(
                        "A NameNode of uri={} reported address='{}', which is not an address; do: correct that "
                                + "address where NameNodes are configured",
                        uri,
                        text,
                        e);
            }
        }
        for (NameNodeMember<T> member : members) {
            if (!named.contains(member)) {
                forget(member);
            }
        }
        if (isNew) {
            finder.probeAll(0);
        }
    }

    private void forget(NameNodeMember<T> member) {
        LOG.info("Dropping a NameNode that is no longer reported: namenode={} uri={}", member, uri);
        members.remove(member);
        reads.forget(member);
        finder.markInactive(member);
        try {
            member.close();
        } catch (IOException e) {
            LOG.warn("The connection to namenode={} cannot be closed; no action needed", member, e);
        }
    }

    private Optional<NameNodeMember<T>> memberAt(InetSocketAddress address) {
        return members.stream()
                .filter(member -> isSameAddress(member.address(), address))
                .findFirst();
    }

    private static boolean isSameAddress(InetSocketAddress one, InetSocketAddress other) {
        return one.equals(other)
                || (one.getPort() == other.getPort() && one.getHostString().equalsIgnoreCase(other.getHostString()));
    }

    @Override
    public ProxyInfo<T> getProxy() {
        return proxy;
    }

    /**
     * Handles a failover requested by HDFS. It requests one only for calls that this client does not resend itself: the
     * asynchronous ones.
     */
    @Override
    public void performFailover(T currentProxy) {
        finder.knownActive().ifPresent(finder::markInactive);
    }

    /** Returns true, as a nameservice is always named by its logical URI here. */
    @Override
    public boolean useLogicalURI() {
        return true;
    }

    @Override
    public void close() throws IOException {
        watch.close();
        threads.shutdownNow();
        for (NameNodeMember<T> member : members) {
            member.close();
        }
    }
}

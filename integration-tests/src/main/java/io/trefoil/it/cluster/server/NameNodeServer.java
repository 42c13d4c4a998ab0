/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.ServerSpec;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.ha.ZKFCProtocol;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.tools.NNHAServiceTarget;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;

/**
 * A NameNode. This JVM asks for its state and changes it by the protocol of {@code hdfs haadmin}, which is quicker than
 * the command; {@link HaCluster#haadmin} runs the command itself.
 */
public final class NameNodeServer extends Server {
    public static final String MAIN_CLASS = "org.apache.hadoop.hdfs.server.namenode.NameNode";

    private static final String POOL_NODE_CLASS = "io.trefoil.journal.hdfs.PoolNodeMain";

    /** The main class of {@code hdfs trefoil}. */
    public static final String TREFOIL_CLASS = "io.trefoil.tools.hdfs.TrefoilMain";

    /** The timeout: long enough for a slow answer, short enough to probe a frozen process. */
    private static final int STATE_TIMEOUT_MILLIS = 2_000;

    private static final Duration RENEW_LIMIT = Duration.ofSeconds(5);

    private static final int TRANSITION_TIMEOUT_MILLIS = 60_000;
    /** The idle timeout of connections: short, and different from that of any other client. */
    private static final int OWN_IDLE_MILLIS = 50;

    private final Configuration client;
    /** The configuration for single queries, as an idle connection does not notice that its server has been restarted. */
    private final Configuration asking;

    private final String nameservice;
    private final boolean renewed;
    private final boolean kept;

    /**
     * @param renewed whether it gets a new image, if it needs one, before it starts again
     * @param kept whether its pool node runs in its place while it cannot
     */
    public NameNodeServer(
            ServerSpec spec,
            Launcher launcher,
            ClusterLayout layout,
            Configuration client,
            boolean renewed,
            boolean kept) {
        super(spec, launcher, layout);
        this.renewed = renewed;
        this.kept = kept;
        this.nameservice = layout.nameservice();
        this.client = new Configuration(client);
        this.client.setInt("ipc.client.connect.retry.interval", 20);
        this.asking = new Configuration(this.client);
        asking.setInt("ipc.client.connection.maxidletime", 0);
    }

    /** Makes this JVM call the NameNode at its current address. */
    public void refreshAddress() {
        String key = "dfs.namenode.rpc-address." + nameservice + "." + name();
        client.set(key, address("rpc"));
        asking.set(key, address("rpc"));
    }

    /** Starts the NameNode even if the pool does not answer, like the systemd unit. */
    @Override
    void prepareStart() {
        if (renewed && startCount() > 0) {
            renew(RENEW_LIMIT);
        }
    }

    @Override
    ProcessBuilder withKeeper(ProcessBuilder run, Launcher launcher) {
        return kept ? launcher.withKeeper(run, name(), POOL_NODE_CLASS, List.of("--in-place-of-namenode")) : run;
    }

    /** Kills the NameNode with -9, but not its keeper. */
    public void kill9WithoutKeeper() {
        ProcessHandle nameNode = child(MAIN_CLASS);
        nameNode.destroyForcibly();
        await("is dead", Await.TIMEOUT, () -> !nameNode.isAlive());
    }

    /** Returns the process that its keeper now runs, if it runs this class. */
    private ProcessHandle child(String mainClass) {
        return ProcessHandle.of(pid())
                .flatMap(keeper -> keeper.children()
                        .filter(member -> member.info()
                                .arguments()
                                .filter(words -> Arrays.asList(words).contains(mainClass))
                                .isPresent())
                        .findFirst())
                .orElseThrow(() -> new AssertionError("no " + mainClass + " runs\n" + describe()));
    }

    /** The address that clients use. */
    public InetSocketAddress rpcAddress() {
        return NetUtils.createSocketAddr(address("rpc"));
    }

    /** The file system of this NameNode alone, without failover. */
    public URI uri() {
        return URI.create("hdfs://" + address("rpc"));
    }

    public Configuration clientConfiguration() {
        return new Configuration(client);
    }

    /** Formats the namespace and its journal from this host, like {@code hdfs namenode -format}. */
    public void format(String clusterId) {
        namenode("-format", "-nonInteractive", "-clusterId", clusterId).expectSuccess();
    }

    /** Runs {@code hdfs namenode} with arguments that make it a command, not a server. */
    public ToolResult namenode(String... arguments) {
        return tool(MAIN_CLASS, arguments);
    }

    /** Like {@link #namenode}, for a command that asks for confirmation; the operator says yes. */
    public ToolResult namenodeConfirmed(String... arguments) {
        return toolWithAnswer("Y", MAIN_CLASS, arguments);
    }

    /** Runs {@code hdfs trefoil} on this host. */
    public ToolResult trefoil(String... arguments) {
        return tool(TREFOIL_CLASS, arguments);
    }

    /** Like {@link #trefoil}, as the user named in environment variables. */
    public ToolResult trefoilAs(Map<String, String> environment, String... arguments) {
        return toolAs(environment, TREFOIL_CLASS, arguments);
    }

    /** Fetches the namespace from another NameNode, like {@code hdfs namenode -bootstrapStandby}. */
    public void bootstrapStandby() {
        namenode("-bootstrapStandby", "-nonInteractive").expectSuccess();
    }

    /**
     * Fetches an image from the pool if the NameNode needs one, like our systemd unit before it starts one.
     *
     * @param limit the time within which the pool must answer
     */
    public ToolResult renew(Duration limit) {
        return trefoil("renew", "--timeout=" + limit.toSeconds());
    }

    /** Copies the namespace of a NameNode that has just been formatted, before either is started. */
    public void copyNamespaceFrom(NameNodeServer formatted) {
        try (Stream<Path> files = Files.list(formatted.imageDirectory())) {
            Files.createDirectories(imageDirectory());
            for (Path file : files.toList()) {
                Files.copy(file, imageDirectory().resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name() + " did not get the namespace of " + formatted.name(), e);
        }
    }

    /**
     * The current role.
     *
     * @throws IOException if the NameNode does not answer
     */
    public HAServiceState haState() throws IOException {
        return query(STATE_TIMEOUT_MILLIS, HAServiceProtocol::getServiceStatus).getState();
    }

    /** Whether the NameNode answers and is in the given role. */
    public boolean isInState(HAServiceState state) {
        try {
            return haState() == state;
        } catch (IOException doesNotAnswer) {
            return false;
        }
    }

    public boolean isActive() {
        return isInState(HAServiceState.ACTIVE);
    }

    /**
     * Whether its agent would obey an operator's order to become active. HDFS calls a NameNode standby at once; its agent does
     * only when it holds what the active has.
     */
    public boolean mayTakeOver() {
        return jmx().readText("Hadoop:service=NameNode,name=TrefoilGroup", "State")
                .equals("STANDBY");
    }

    /** Makes this NameNode the active one; blocks until it is. */
    public void becomeActive() throws IOException {
        query(TRANSITION_TIMEOUT_MILLIS, protocol -> {
            protocol.transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
            return null;
        });
    }

    /** Makes this NameNode a standby; blocks until it is. */
    public void becomeStandby() throws IOException {
        query(TRANSITION_TIMEOUT_MILLIS, protocol -> {
            protocol.transitionToStandby(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
            return null;
        });
    }

    /** A connection for callers that poll the role. */
    public RoleProbe newRoleProbe() {
        try {
            return new RoleProbe(
                    new NNHAServiceTarget(client, nameservice, name()).getProxy(client, STATE_TIMEOUT_MILLIS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes this NameNode active by automatic failover, like {@code haadmin -failover}; blocks until it is. */
    public void takeOver() throws IOException {
        ZKFCProtocol controller =
                new NNHAServiceTarget(asking, nameservice, name()).getZKFCProxy(asking, TRANSITION_TIMEOUT_MILLIS);
        try {
            controller.gracefulFailover();
        } finally {
            RPC.stopProxy(controller);
        }
    }

    /** Waits until the NameNode answers, whatever its role; without HA, it has none. */
    public void awaitUp() {
        await("answers", Await.TIMEOUT, () -> {
            try {
                return haState() != HAServiceState.INITIALIZING;
            } catch (RemoteException e) {
                // How a NameNode without HA answers that question, as soon as it answers any.
                if (e.unwrapRemoteException() instanceof ServiceFailedException) {
                    return true;
                }
                throw e;
            }
        });
    }

    /** Waits until the NameNode is in the given role. */
    public void awaitState(HAServiceState state) {
        await("is " + state.name().toLowerCase(Locale.ROOT), Await.TIMEOUT, () -> haState() == state);
    }

    /**
     * Waits until the NameNode may become active: a standby that has just started stays in safe mode until the DataNodes have
     * reported their blocks.
     */
    public void awaitReadyToBecomeActive() {
        await("is ready to become active", Await.TIMEOUT, () -> query(
                        STATE_TIMEOUT_MILLIS, HAServiceProtocol::getServiceStatus)
                .isReadyToBecomeActive());
    }

    /** Waits until the namespace holds the transaction. */
    public void awaitApplied(long txId, Duration limit) {
        await("has applied txid=" + txId, limit, () -> appliedTxId() >= txId);
    }

    /** The last transaction that the namespace holds: on an active the last written, on a standby the last applied. */
    public long appliedTxId() {
        String journal = jmx().readText("Hadoop:service=NameNode,name=NameNodeInfo", "JournalTransactionInfo");
        return JmxClient.parse(journal).path("LastAppliedOrWrittenTxId").asLong();
    }

    /**
     * Saves the namespace during a short safe mode, whatever the role. Waits for a NameNode that is still starting: its
     * metrics are there, and the namespace is complete, before it accepts commands.
     *
     * @throws UncheckedIOException if the NameNode refuses
     */
    public void saveNamespace() {
        awaitUp();
        try (DistributedFileSystem alone = directFileSystem()) {
            alone.setSafeMode(SafeModeAction.ENTER);
            try {
                alone.saveNamespace();
            } finally {
                alone.setSafeMode(SafeModeAction.LEAVE);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(name() + " did not save its namespace: " + e.getMessage(), e);
        }
    }

    /**
     * Begins a new segment of the edits; without starting a JVM like {@code dfsadmin -rollEdits}.
     *
     * @throws UncheckedIOException if the NameNode is not active
     */
    public void rollEdits() {
        try (DistributedFileSystem alone = directFileSystem()) {
            alone.rollEdits();
        } catch (IOException e) {
            throw new UncheckedIOException(name() + " did not roll its edits: " + e.getMessage(), e);
        }
    }

    private DistributedFileSystem directFileSystem() throws IOException {
        Configuration configuration = clientConfiguration();
        // Hadoop shares connections between clients with the same settings, and finds out that an idle one is broken
        // only when it uses it: a load's connection to this NameNode from before a kill would fail here.
        configuration.setInt("ipc.client.connection.maxidletime", OWN_IDLE_MILLIS);
        return (DistributedFileSystem) FileSystem.newInstance(uri(), configuration);
    }

    /** The newest image of this NameNode. */
    public Path newestImage() throws IOException {
        return StockNameDirectory.newestImage(imageDirectory(), Long.MAX_VALUE);
    }

    /** The metrics page. */
    public JmxClient jmx() {
        return new JmxClient(address("http"));
    }

    /** WebHDFS of this NameNode alone. */
    public URI webHdfs() {
        return URI.create("webhdfs://" + address("http"));
    }

    /** Returns where images are kept. */
    public Path imageDirectory() {
        return dataDirectory().resolve("name").resolve("current");
    }

    private interface Query<T> {
        T run(HAServiceProtocol protocol) throws IOException;
    }

    private <T> T query(int timeoutMillis, Query<T> question) throws IOException {
        HAServiceProtocol protocol = new NNHAServiceTarget(asking, nameservice, name()).getProxy(asking, timeoutMillis);
        try {
            return question.run(protocol);
        } finally {
            RPC.stopProxy(protocol);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.ServerSpec;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
 * A NameNode. Its state is asked and changed by the protocol that {@code hdfs haadmin} speaks, but from this JVM, which
 * is quicker; {@link HaCluster#haadmin} runs the command itself.
 */
public final class NameNodeServer extends Server {
    public static final String MAIN_CLASS = "org.apache.hadoop.hdfs.server.namenode.NameNode";
    /** Of {@code hdfs trefoil}. */
    public static final String TREFOIL_CLASS = "io.trefoil.tools.hdfs.TrefoilMain";

    /** Long enough for a slow answer, short enough to look at a frozen process. */
    private static final int STATE_TIMEOUT_MILLIS = 2_000;

    private static final Duration RENEW_LIMIT = Duration.ofSeconds(5);

    private static final int TRANSITION_TIMEOUT_MILLIS = 60_000;
    /** Unlike that of any other client, and short. */
    private static final int OWN_IDLE_MILLIS = 50;

    private final Configuration client;
    /** For single questions: an idle connection does not notice that its server was started again since. */
    private final Configuration asking;

    private final String nameservice;
    private final boolean renewed;

    /** @param renewed whether it is given another image, if it needs one, before it starts again */
    public NameNodeServer(
            ServerSpec spec, Launcher launcher, ClusterLayout layout, Configuration client, boolean renewed) {
        super(spec, launcher, layout);
        this.renewed = renewed;
        this.nameservice = layout.nameservice();
        this.client = new Configuration(client);
        this.client.setInt("ipc.client.connect.retry.interval", 20);
        this.asking = new Configuration(this.client);
        asking.setInt("ipc.client.connection.maxidletime", 0);
    }

    /** If the pool cannot be asked, it starts all the same, as with the systemd unit. */
    @Override
    void beforeStart() {
        if (renewed && startCount() > 0) {
            renew(RENEW_LIMIT);
        }
    }

    /** The address that clients speak to. */
    public InetSocketAddress rpcAddress() {
        return NetUtils.createSocketAddr(address("rpc"));
    }

    /** The file system of this NameNode alone, without fail-over. */
    public URI uri() {
        return URI.create("hdfs://" + address("rpc"));
    }

    public Configuration clientConfiguration() {
        return new Configuration(client);
    }

    /** Formats the namespace and its journal from this host, as {@code hdfs namenode -format} does. */
    public void format(String clusterId) {
        namenode("-format", "-nonInteractive", "-clusterId", clusterId).expectSuccess();
    }

    /** Runs {@code hdfs namenode} with arguments that make it a command, not a server. */
    public ToolResult namenode(String... arguments) {
        return tool(MAIN_CLASS, arguments);
    }

    /** Like {@link #namenode}, for a command that asks; the operator says yes. */
    public ToolResult namenodeConfirmed(String... arguments) {
        return toolThatAsks("Y", MAIN_CLASS, arguments);
    }

    /** Runs {@code hdfs trefoil} on this host. */
    public ToolResult trefoil(String... arguments) {
        return tool(TREFOIL_CLASS, arguments);
    }

    /** The same as somebody whom variables of the environment name. */
    public ToolResult trefoilAs(Map<String, String> environment, String... arguments) {
        return toolAs(environment, TREFOIL_CLASS, arguments);
    }

    /** Fetches the namespace from another NameNode, as {@code hdfs namenode -bootstrapStandby} does. */
    public void bootstrapStandby() {
        namenode("-bootstrapStandby", "-nonInteractive").expectSuccess();
    }

    /**
     * Fetches an image from the pool if the NameNode needs one, as our systemd unit does before it starts one.
     *
     * @param limit of the time in which the pool must answer
     */
    public ToolResult renew(Duration limit) {
        return trefoil("renew", "--timeout=" + limit.toSeconds());
    }

    /** Takes the namespace that another NameNode has just been formatted with; neither has been started yet. */
    public void copyNamespaceOf(NameNodeServer formatted) {
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
     * The present role.
     *
     * @throws IOException if the NameNode does not answer
     */
    public HAServiceState haState() throws IOException {
        return ask(STATE_TIMEOUT_MILLIS, HAServiceProtocol::getServiceStatus).getState();
    }

    /** Whether the NameNode answers and is in the given role. */
    public boolean is(HAServiceState state) {
        try {
            return haState() == state;
        } catch (IOException doesNotAnswer) {
            return false;
        }
    }

    public boolean isActive() {
        return is(HAServiceState.ACTIVE);
    }

    /** Makes this NameNode the active one; returns when it is. */
    public void becomeActive() throws IOException {
        ask(TRANSITION_TIMEOUT_MILLIS, protocol -> {
            protocol.transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
            return null;
        });
    }

    /** Makes this NameNode a standby; returns when it is. */
    public void becomeStandby() throws IOException {
        ask(TRANSITION_TIMEOUT_MILLIS, protocol -> {
            protocol.transitionToStandby(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER));
            return null;
        });
    }

    /** A connection for those who want to know the role again and again. */
    public RoleProbe newRoleProbe() {
        try {
            return new RoleProbe(
                    new NNHAServiceTarget(client, nameservice, name()).getProxy(client, STATE_TIMEOUT_MILLIS));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Has the automatic failover make this NameNode the active one, as {@code haadmin -failover} does; returns when it is. */
    public void takeOver() throws IOException {
        ZKFCProtocol controller =
                new NNHAServiceTarget(asking, nameservice, name()).getZKFCProxy(asking, TRANSITION_TIMEOUT_MILLIS);
        try {
            controller.gracefulFailover();
        } finally {
            RPC.stopProxy(controller);
        }
    }

    /** Waits until the NameNode answers, in whatever role; one that is alone has none. */
    public void awaitUp() {
        await("answers", PATIENCE, () -> {
            try {
                return haState() != HAServiceState.INITIALIZING;
            } catch (RemoteException e) {
                // What one without HA says to that question, once it takes any.
                if (e.unwrapRemoteException() instanceof ServiceFailedException) {
                    return true;
                }
                throw e;
            }
        });
    }

    /** Waits until the NameNode is in the given role. */
    public void awaitState(HAServiceState state) {
        await("is " + state.name().toLowerCase(Locale.ROOT), PATIENCE, () -> haState() == state);
    }

    /** Waits until it may become active: a standby that has just started is in safe mode until the DataNodes have told it of their blocks. */
    public void awaitReadyToBecomeActive() {
        await("is ready to become active", PATIENCE, () -> ask(
                        STATE_TIMEOUT_MILLIS, HAServiceProtocol::getServiceStatus)
                .isReadyToBecomeActive());
    }

    /** Waits until the namespace holds the transaction. */
    public void awaitApplied(long txId, Duration limit) {
        await("has applied txid=" + txId, limit, () -> appliedTxId() >= txId);
    }

    /** The last transaction that the namespace holds: on an active the last written, on a standby the last applied. */
    public long appliedTxId() {
        String journal = jmx().text("Hadoop:service=NameNode,name=NameNodeInfo", "JournalTransactionInfo");
        return Jmx.parse(journal).path("LastAppliedOrWrittenTxId").asLong();
    }

    /**
     * Saves the namespace, in whatever role; costs a safe mode of a moment. One that is still starting is waited for: its metrics are
     * there, and the namespace is whole, before it takes orders.
     *
     * @throws UncheckedIOException if the NameNode refuses
     */
    public void saveNamespace() {
        awaitUp();
        Configuration configuration = clientConfiguration();
        // Hadoop shares connections between clients with the same settings, and finds out that an idle one broke only
        // when it uses it: that of a load that spoke to this NameNode before it was killed would fail here.
        configuration.setInt("ipc.client.connection.maxidletime", OWN_IDLE_MILLIS);
        try (DistributedFileSystem alone = (DistributedFileSystem) FileSystem.newInstance(uri(), configuration)) {
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

    /** The newest image of this NameNode. */
    public Path newestImage() throws IOException {
        return OwnEdits.newestImage(imageDirectory(), Long.MAX_VALUE);
    }

    /** The metrics page. */
    public Jmx jmx() {
        return new Jmx(address("http"));
    }

    /** WebHDFS of this NameNode alone. */
    public URI webHdfs() {
        return URI.create("webhdfs://" + address("http"));
    }

    /** Where images are kept. */
    public Path imageDirectory() {
        return dataDirectory().resolve("name").resolve("current");
    }

    private interface Question<T> {
        T ask(HAServiceProtocol protocol) throws IOException;
    }

    private <T> T ask(int timeoutMillis, Question<T> question) throws IOException {
        HAServiceProtocol protocol = new NNHAServiceTarget(asking, nameservice, name()).getProxy(asking, timeoutMillis);
        try {
            return question.ask(protocol);
        } finally {
            RPC.stopProxy(protocol);
        }
    }
}

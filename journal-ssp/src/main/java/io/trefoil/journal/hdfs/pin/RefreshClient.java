/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RefreshResponse;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolClientSideTranslatorPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;

/**
 * Calls a handler in a NameNode or DataNode through HDFS's {@code GenericRefreshProtocol}. Thread-safe.
 *
 * <p>Uses {@code GenericRefreshProtocolPB}, {@code RPC}, {@code NetUtils}, {@code UserGroupInformation}, {@code
 * RemoteException.unwrapRemoteException}.
 */
public final class RefreshClient {

    /** Less than any restart takes. */
    private static final int IDLE_MILLIS = 200;

    /** What Hadoop appends to the key of a principal. */
    private static final String PATTERN = ".pattern";

    private final Configuration conf;
    private final Duration patience;

    /**
     * @param conf the configuration of the NameNodes that will be called, for their principal
     * @param connecting how long a connection may take; one that fails is not tried again
     * @param patience how long an answer may take
     */
    public RefreshClient(Configuration conf, Duration connecting, Duration patience) {
        this(conf, DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, connecting, patience);
    }

    private RefreshClient(Configuration conf, String principalKey, Duration connecting, Duration patience) {
        this.conf = new Configuration(conf);
        // As DFSAdmin: whose ticket the client asks for.
        this.conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY, conf.get(principalKey, ""));
        String pattern = conf.get(principalKey + PATTERN);
        if (pattern != null) {
            // As clients of the file system believe, where hosts have several names.
            this.conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY + PATTERN, pattern);
        }
        // Set for copies from clusters without Kerberos; a NameNode that cannot show who it is must not have our
        // orders.
        this.conf.setBoolean(CommonConfigurationKeys.IPC_CLIENT_FALLBACK_TO_SIMPLE_AUTH_ALLOWED_KEY, false);
        this.conf.setInt("ipc.client.connect.max.retries", 0);
        this.conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
        this.conf.setInt("ipc.client.connect.timeout", Math.toIntExact(connecting.toMillis()));
        // Hadoop's client reads nothing while it waits for no answer, so only its next call finds that the other end is
        // gone. Kept as long as usual, a connection from before a restart would cost the first order after it.
        this.conf.setInt("ipc.client.connection.maxidletime", IDLE_MILLIS);
        this.patience = patience;
        RPC.setProtocolEngine(this.conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    }

    /** The same for DataNodes with a plugin that listens at their IPC port. */
    public static RefreshClient toDataNodes(Configuration conf, Duration connecting, Duration patience) {
        return new RefreshClient(conf, DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, connecting, patience);
    }

    /**
     * Says words to who is registered under an identifier, and waits for the answer.
     *
     * @throws AccessControlException if nobody here may say anything to that server, which has done nothing
     * @throws IOException if there was none; nobody knows whether the words were heard. The text is one line of the server's, without its
     *     trace
     */
    public RefreshResponse ask(InetSocketAddress server, String identifier, String... words) throws IOException {
        try (RefreshSession session = open(server)) {
            return session.ask(identifier, words);
        }
    }

    /** For several questions over one connection, which is made with the first, and again after a pause or if it broke. */
    public RefreshSession open(InetSocketAddress server) throws IOException {
        return new RefreshSession(new GenericRefreshProtocolClientSideTranslatorPB(RPC.getProxy(
                GenericRefreshProtocolPB.class,
                RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
                server,
                UserGroupInformation.getCurrentUser(),
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                Math.toIntExact(patience.toMillis()))));
    }

    /** A server to which the connection stays until this is closed. Thread-safe. */
    public static final class RefreshSession implements Closeable {

        private final GenericRefreshProtocolClientSideTranslatorPB proxy;

        private RefreshSession(GenericRefreshProtocolClientSideTranslatorPB proxy) {
            this.proxy = proxy;
        }

        /** As {@link RefreshClient#ask}. */
        public RefreshResponse ask(String identifier, String... words) throws IOException {
            Collection<RefreshResponse> responses;
            try {
                responses = proxy.refresh(identifier, words);
            } catch (RemoteException e) {
                throw local(e);
            }
            return responses.iterator().next();
        }

        /** Hadoop puts the server's trace behind its text, which is for the server's log and not for who typed a command. */
        private static IOException local(RemoteException remote) {
            String text = String.valueOf(remote.getMessage());
            int end = text.indexOf('\n');
            String line = end < 0 ? text : text.substring(0, end);
            boolean isRefused = remote.unwrapRemoteException(AccessControlException.class, AuthorizationException.class)
                    instanceof AccessControlException;
            return isRefused ? new AccessControlException(line) : new IOException(line, remote);
        }

        @Override
        public void close() throws IOException {
            proxy.close();
        }
    }
}

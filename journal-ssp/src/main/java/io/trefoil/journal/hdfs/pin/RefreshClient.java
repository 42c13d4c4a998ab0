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

    /** The time after which an idle connection is closed, shorter than any restart. */
    private static final int IDLE_MILLIS = 200;

    /** The suffix that Hadoop appends to the key of a principal for the key of its pattern. */
    private static final String PATTERN = ".pattern";

    private final Configuration conf;
    private final Duration timeout;

    /**
     * @param conf the configuration of the NameNodes to call, for their principal
     * @param connecting how long it may take to connect; a failed attempt is not repeated
     * @param timeout how long an answer may take
     */
    public RefreshClient(Configuration conf, Duration connecting, Duration timeout) {
        this(conf, DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY, connecting, timeout);
    }

    private RefreshClient(Configuration conf, String principalKey, Duration connecting, Duration timeout) {
        this.conf = new Configuration(conf);
        // The principal for which the client asks for a ticket, as in DFSAdmin.
        this.conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY, conf.get(principalKey, ""));
        String pattern = conf.get(principalKey + PATTERN);
        if (pattern != null) {
            // As file system clients do, for hosts that have several names.
            this.conf.set(CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_USER_NAME_KEY + PATTERN, pattern);
        }
        // Clusters set it to copy from clusters without Kerberos; a NameNode that cannot authenticate must get no
        // orders.
        this.conf.setBoolean(CommonConfigurationKeys.IPC_CLIENT_FALLBACK_TO_SIMPLE_AUTH_ALLOWED_KEY, false);
        this.conf.setInt("ipc.client.connect.max.retries", 0);
        this.conf.setInt("ipc.client.connect.max.retries.on.timeouts", 0);
        this.conf.setInt("ipc.client.connect.timeout", Math.toIntExact(connecting.toMillis()));
        // Hadoop's client reads only while it waits for an answer, so only its next call notices that the other end is
        // gone. With the usual idle time, a connection from before a server's restart would make the first order after
        // it fail.
        this.conf.setInt("ipc.client.connection.maxidletime", IDLE_MILLIS);
        this.timeout = timeout;
        RPC.setProtocolEngine(this.conf, GenericRefreshProtocolPB.class, ProtobufRpcEngine2.class);
    }

    /** Creates a client for DataNodes whose plugin listens on their IPC port. */
    public static RefreshClient forDataNodes(Configuration conf, Duration connecting, Duration timeout) {
        return new RefreshClient(conf, DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, connecting, timeout);
    }

    /**
     * Sends words to the handler registered under an identifier, and waits for its answer.
     *
     * @throws AccessControlException if the user of this process may not call that server, which has done nothing
     * @throws IOException if there was no answer; it is unknown whether the words arrived. The text is the first line
     *     of the server's message, without its stack trace
     */
    public RefreshResponse call(InetSocketAddress server, String identifier, String... arguments) throws IOException {
        try (RefreshSession session = open(server)) {
            return session.call(identifier, arguments);
        }
    }

    /**
     * Opens a session for several requests over one connection, which the first request opens, and which is reopened after an idle period
     * or a failure.
     *
     * @param server looked up if that was not done yet
     */
    public RefreshSession open(InetSocketAddress server) throws IOException {
        InetSocketAddress address =
                server.isUnresolved() ? NetUtils.createSocketAddr(NetUtils.getHostPortString(server)) : server;
        return new RefreshSession(new GenericRefreshProtocolClientSideTranslatorPB(RPC.getProxy(
                GenericRefreshProtocolPB.class,
                RPC.getProtocolVersion(GenericRefreshProtocolPB.class),
                address,
                UserGroupInformation.getCurrentUser(),
                conf,
                NetUtils.getDefaultSocketFactory(conf),
                Math.toIntExact(timeout.toMillis()))));
    }

    /** A connection to a server, kept until this is closed. Thread-safe. */
    public static final class RefreshSession implements Closeable {

        private final GenericRefreshProtocolClientSideTranslatorPB proxy;

        private RefreshSession(GenericRefreshProtocolClientSideTranslatorPB proxy) {
            this.proxy = proxy;
        }

        /** Sends words over this session, as {@link RefreshClient#call} does. */
        public RefreshResponse call(String identifier, String... arguments) throws IOException {
            Collection<RefreshResponse> responses;
            try {
                responses = proxy.refresh(identifier, arguments);
            } catch (RemoteException e) {
                throw withoutStackTrace(e);
            }
            return responses.iterator().next();
        }

        /**
         * Cuts the server's stack trace, which Hadoop appends to the message: it belongs in the server's log, not on the terminal of the
         * user who typed a command.
         */
        private static IOException withoutStackTrace(RemoteException remote) {
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

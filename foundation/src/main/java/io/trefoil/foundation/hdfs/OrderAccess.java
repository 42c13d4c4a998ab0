/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SaslRpcServer;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may give orders to the plugins of a NameNode or DataNode over Hadoop's RPC. Those are the users who may
 * give orders to HDFS: the NameNode's own user, members of {@code dfs.permissions.superusergroup} and of {@code
 * dfs.cluster.administrators}, and with Kerberos the principals of all NameNodes of the configuration. With {@code
 * hadoop.security.authorization} a port's own service ACL in {@code hadoop-policy.xml} must let them in as well.
 * Thread-safe.
 *
 * <p>Uses {@code UserGroupInformation}, {@code AccessControlList}, {@code DFSUtil.getAllNnPrincipals}, {@code
 * ServiceAuthorizationManager.authorize}, {@code SaslRpcServer.splitKerberosName}, {@code Server.getRemoteIp}.
 */
public final class OrderAccess {

    private static final Logger LOG = LoggerFactory.getLogger(OrderAccess.class);

    /** The form of a principal: service, host and realm. */
    private static final int PARTS = 3;

    private final Configuration conf;
    private final AuditLog audit;
    private final AccessControlList admins;
    private final String superGroup;
    private final ServiceAcl serviceList;
    private final ProcessUser ownUser;

    /** Whether a caller counts as this process. */
    private interface ProcessUser {
        boolean matches(UserGroupInformation caller) throws IOException;
    }

    /** The service ACL of a protocol in {@code hadoop-policy.xml}. */
    private interface ServiceAcl {
        void require(UserGroupInformation caller, InetAddress address) throws AuthorizationException;
    }

    private OrderAccess(Configuration conf, AuditLog audit, ServiceAcl serviceList, ProcessUser ownUser) {
        this.ownUser = ownUser;
        this.conf = conf;
        this.audit = audit;
        this.admins = new AccessControlList(conf.get(DFSConfigKeys.DFS_ADMIN, " "));
        this.superGroup = conf.get(
                DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY, DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
        this.serviceList = serviceList;
    }

    /**
     * Creates the access control for orders that arrive on the NameNode's own port, where HDFS itself has already checked {@code
     * hadoop-policy.xml}.
     */
    public static OrderAccess forNameNodePort(Configuration conf, AuditLog audit) {
        return new OrderAccess(conf, audit, (caller, address) -> {}, OrderAccess::isLoginUser);
    }

    /**
     * Creates the access control for orders that arrive on a DataNode's own port. With Kerberos, other DataNodes are refused although they
     * run as the same user, whatever that user may do, and so is any caller that shows a block token instead of a
     * ticket, whatever user the token names.
     */
    public static OrderAccess forDataNodePort(Configuration conf, AuditLog audit) {
        return new OrderAccess(
                conf,
                audit,
                (caller, address) -> {
                    requireTicket(caller);
                    refuseDataNodes(conf, caller);
                },
                caller -> !UserGroupInformation.isSecurityEnabled() && isLoginUser(caller));
    }

    private static boolean isLoginUser(UserGroupInformation caller) throws IOException {
        return caller.getShortUserName()
                .equals(UserGroupInformation.getLoginUser().getShortUserName());
    }

    private static void requireTicket(UserGroupInformation caller) throws AuthorizationException {
        if (UserGroupInformation.isSecurityEnabled()
                && caller.getRealAuthenticationMethod() != UserGroupInformation.AuthenticationMethod.KERBEROS) {
            throw new AuthorizationException(
                    caller + " has shown no Kerberos ticket, but " + caller.getRealAuthenticationMethod());
        }
    }

    /**
     * Refuses DataNodes by their principals: {@code auth_to_local} often maps them to the superuser, like NameNodes. Where
     * both have the same principal but for the host, those of NameNodes are let in.
     */
    private static void refuseDataNodes(Configuration conf, UserGroupInformation caller) throws AuthorizationException {
        if (!UserGroupInformation.isSecurityEnabled()) {
            return;
        }
        UserGroupInformation real = caller.getRealUser();
        String shown = (real == null ? caller : real).getUserName();
        if (isPrincipalOf(conf.get(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY, ""), shown)
                && !isNameNode(conf, shown)) {
            throw new AuthorizationException("Disallowed RPC access from " + caller + ": " + shown
                    + " is a DataNode's principal ("
                    + DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY
                    + "), and DataNodes take no orders from each other");
        }
    }

    /** Whether a principal belongs to a service on some host. */
    private static boolean isPrincipalOf(String service, String principal) {
        String[] wanted = SaslRpcServer.splitKerberosName(service);
        String[] found = SaslRpcServer.splitKerberosName(principal);
        return service.equals(principal)
                || (wanted.length == PARTS
                        && found.length == PARTS
                        && wanted[0].equals(found[0])
                        && wanted[2].equals(found[2]));
    }

    /**
     * Creates the access control for orders that arrive on our own port, whose server must be built with {@link #withoutServiceLists}.
     *
     * @param lists the service ACLs of the NameNode's own server, so that {@code dfsadmin -refreshServiceAcl} changes both
     * @param protocol whose service ACL in {@code hadoop-policy.xml} applies
     */
    public static OrderAccess forOwnPort(
            Configuration conf, AuditLog audit, ServiceAuthorizationManager lists, Class<?> protocol) {
        boolean enabled = conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
        return new OrderAccess(
                conf,
                audit,
                enabled
                        ? (caller, address) -> lists.authorize(caller, protocol, conf, address)
                        : (caller, address) -> {},
                OrderAccess::isLoginUser);
    }

    /**
     * The configuration with which to build our own server. Hadoop would check each new connection against {@code
     * hadoop-policy.xml} as it was when the server began, and record refusals in no audit log. Instead, {@link #admit}
     * checks each order.
     */
    public static Configuration withoutServiceLists(Configuration conf) {
        Configuration ours = new Configuration(conf);
        ours.setBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
        return ours;
    }

    /** The audit log that records the outcome of the orders. */
    public AuditLog audit() {
        return audit;
    }

    /**
     * Admits the order of the RPC that this thread is handling. Call it before doing anything.
     *
     * @throws AccessControlException if the caller may not give it, which is recorded
     */
    public AuditedOrder admit(String order, String object) throws IOException {
        UserGroupInformation caller = UserGroupInformation.getCurrentUser();
        InetAddress address = Server.getRemoteIp();
        AuditedOrder wanted = AuditedOrder.of(
                order, object, caller.toString(), address == null ? AuditedOrder.UNKNOWN : address.getHostAddress());
        try {
            serviceList.require(caller, address);
            requireAdministrator(caller, wanted);
        } catch (AccessControlException e) {
            audit.recordRefusal(wanted, e.getMessage());
            throw e;
        }
        return wanted;
    }

    private void requireAdministrator(UserGroupInformation caller, AuditedOrder order) throws IOException {
        if (!ownUser.matches(caller)
                && !admins.isUserAllowed(caller)
                && !Arrays.asList(caller.getGroupNames()).contains(superGroup)
                && !isNameNode(conf, caller.getUserName())) {
            AccessControlException refused = new AccessControlException("Disallowed RPC access from " + caller + " at "
                    + order.address() + " to " + order.order() + ": neither the server's own user, "
                    + UserGroupInformation.getLoginUser().getShortUserName() + ", nor in group " + superGroup + " ("
                    + DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY + "). Not listed in "
                    + DFSConfigKeys.DFS_ADMIN);
            // Hadoop would send the trace to the caller, and haadmin would print it.
            refused.setStackTrace(new StackTraceElement[0]);
            throw refused;
        }
    }

    /** Whether a principal is a NameNode's, as those of other nameservices may run as other users. */
    private static boolean isNameNode(Configuration conf, String principal) {
        if (!UserGroupInformation.isSecurityEnabled()) {
            return false;
        }
        try {
            return DFSUtil.getAllNnPrincipals(conf).contains(principal);
        } catch (IOException | RuntimeException e) {
            LOG.warn(
                    "Cannot tell whether principal={} is a NameNode's, as not all of their principals are "
                            + "configured; do: set dfs.namenode.kerberos.principal for each NameNode",
                    principal,
                    e);
            return false;
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import javax.security.auth.callback.Callback;
import javax.security.sasl.AuthorizeCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.SaslPropertiesResolver;
import org.apache.hadoop.security.SaslRpcServer;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Kerberos, with the credentials of this process's Hadoop login: a NameNode's or a pool node's keytab, or an operator's
 * ticket.
 *
 * <p>Uses {@code UserGroupInformation}, {@code SaslPropertiesResolver} and {@code SaslRpcServer.splitKerberosName}.
 */
public final class KerberosAuthentication implements Authentication {

    static final String MECHANISM = "GSSAPI";

    /** Finds the user whose credentials this process uses. */
    interface Login {
        UserGroupInformation user() throws IOException;
    }

    private final Login login;
    private final PoolPrincipals principals;
    private final SaslPropertiesResolver properties;
    private final Configuration conf;
    /** Reorders the qualities of protection that are asked for in the SASL properties of a call. */
    private final UnaryOperator<Map<String, String>> order;
    /**
     * The nodes that failed to prove who they are when last called. Bounded by the nodes that this process is
     * configured to call.
     */
    private final Set<InetAddress> unproven = ConcurrentHashMap.newKeySet();

    KerberosAuthentication(Configuration conf, PoolPrincipals principals, Login login) {
        this(conf, principals, login, UnaryOperator.identity());
    }

    private KerberosAuthentication(
            Configuration conf, PoolPrincipals principals, Login login, UnaryOperator<Map<String, String>> order) {
        this.login = login;
        this.principals = principals;
        this.properties = SaslPropertiesResolver.getInstance(conf);
        this.conf = conf;
        this.order = order;
    }

    /** Uses the login of this process, whatever user the thread runs as. */
    public static KerberosAuthentication of(Configuration conf, PoolPrincipals principals) {
        return new KerberosAuthentication(conf, principals, UserGroupInformation::getLoginUser);
    }

    @Override
    public String mechanism() {
        return MECHANISM;
    }

    @Override
    public KerberosAuthentication withStrongestProtection() {
        return new KerberosAuthentication(conf, principals, login, SaslProtection::sortStrongestFirst);
    }

    @Override
    public AuthenticationExchange beginAsCaller(InetAddress node) throws IOException {
        UserGroupInformation user = login.user();
        if (unproven.add(node)) {
            user.checkTGTAndReloginFromKeytab();
        } else {
            // Otherwise a ticket for keys that the node no longer has would be used until it expires, which takes
            // hours. Hadoop does the same for its own connections, and limits how often.
            user.reloginFromKeytab();
        }
        String principal = PoolPrincipals.resolveForHost(node, principals.nodePrincipal());
        String[] parts = parts(principal);
        return new SaslExchange(
                user,
                user.getUserName() + " and pool node " + principal + " at " + node.getHostAddress()
                        + " could not authenticate each other",
                () -> {
                    SaslClient client = Sasl.createSaslClient(
                            new String[] {MECHANISM},
                            null,
                            parts[0],
                            parts[1],
                            SaslProtection.addDefaults(order.apply(properties.getClientProperties(node))),
                            callbacks -> {});
                    return SaslExchange.newSide(client, principal);
                },
                () -> unproven.remove(node));
    }

    @Override
    public AuthenticationExchange beginAsNode(InetAddress caller) throws IOException {
        UserGroupInformation own = login.user();
        String[] parts = parts(own.getUserName());
        return new SaslExchange(
                own,
                "Pool node " + own.getUserName() + " and the caller at " + caller.getHostAddress()
                        + " could not authenticate each other",
                () -> {
                    SaslServer server = Sasl.createSaslServer(
                            MECHANISM,
                            parts[0],
                            parts[1],
                            SaslProtection.addDefaults(properties.getServerProperties(caller)),
                            KerberosAuthentication::authorize);
                    return SaslExchange.newSide(server);
                },
                () -> {});
    }

    /** Authorizes callers to act for themselves only. */
    private static void authorize(Callback... callbacks) {
        for (Callback callback : callbacks) {
            if (callback instanceof AuthorizeCallback) {
                AuthorizeCallback who = (AuthorizeCallback) callback;
                who.setAuthorized(who.getAuthenticationID().equals(who.getAuthorizationID()));
            }
        }
    }

    private static String[] parts(String principal) throws IOException {
        String[] parts = SaslRpcServer.splitKerberosName(principal);
        if (parts.length != 3) {
            throw new IOException("The principal of a pool node is service/host@REALM, found " + principal);
        }
        return parts;
    }

    @Override
    public AccessController wrapAccessController(AccessController byAddress) throws IOException {
        UserGroupInformation own = login.user();
        if (!principals.isNode(own.getUserName())) {
            throw new IOException("Callers expect a pool node to be " + principals.nodePrincipal()
                    + ", and this process has logged in as " + own.getUserName());
        }
        Administrators administrators = new Administrators(conf, System::nanoTime);
        return new PrincipalAccessController(
                byAddress,
                principals,
                PolicyFile.of(conf, System::nanoTime),
                principal -> administrators.contains(principal, own),
                KerberosAuthentication::resolveForHost);
    }

    /** The principal as seen by callers of that host. */
    private static Optional<String> resolveForHost(String pattern, String host) {
        try {
            return Optional.of(PoolPrincipals.resolveForHost(
                    HostResolver.ofProcess().find(host).get(0), pattern));
        } catch (IOException e) {
            // The host has no known address, so no process could call it either.
            return Optional.empty();
        }
    }
}

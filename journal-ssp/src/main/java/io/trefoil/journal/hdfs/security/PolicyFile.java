/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AccessControlList;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies {@code hadoop-policy.xml} to a pool node's port: users, groups and hosts, as for Hadoop's own services. At a
 * call, a file that has changed is read again: a stand-alone pool node has no port for
 * {@code dfsadmin -refreshServiceAcl}, and one in a NameNode is older than the NameNode's server. A file that cannot be
 * read changes nothing.
 *
 * <p>Uses {@code ServiceAuthorizationManager.refreshWithLoadedConfiguration}, {@code getProtocolsAcls}, {@code
 * getProtocolsBlockedAcls} and {@code authorize}.
 */
final class PolicyFile implements ServiceAcl {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFile.class);

    /** The key in {@code hadoop-policy.xml}; {@code .blocked} may be appended, and {@code .hosts} may replace {@code .acl}. */
    static final String KEY = "security.trefoil.journal.protocol.acl";

    private static final String FILE = System.getProperty("hadoop.policy.file", "hadoop-policy.xml");

    private static final PolicyProvider PROVIDER = new PolicyProvider() {
        @Override
        public Service[] getServices() {
            return new Service[] {new Service(KEY, PoolNodeProtocol.class)};
        }
    };

    /** Identifies the port in Hadoop's lists. */
    interface PoolNodeProtocol {}

    /** The default lists, for services without their own lists; they contain users. */
    private static final String[] DEFAULT_ACL_KEYS = {
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_AUTHORIZATION_DEFAULT_ACL,
        CommonConfigurationKeys.HADOOP_SECURITY_SERVICE_AUTHORIZATION_DEFAULT_BLOCKED_ACL
    };

    private final Configuration conf;
    private final UnaryOperator<Configuration> selection;
    private final ResourceFile file;
    private final ServiceAuthorizationManager lists = new ServiceAuthorizationManager();

    private PolicyFile(Configuration conf, UnaryOperator<Configuration> selection, LongSupplier nanoTime) {
        this.conf = conf;
        this.selection = selection;
        this.file = new ResourceFile(conf, FILE, nanoTime);
        read();
    }

    /** The configured list, if {@code hadoop.security.authorization} is on. */
    static ServiceAcl of(Configuration conf, LongSupplier nanoTime) {
        return isEnabled(conf) ? new PolicyFile(conf, policy -> policy, nanoTime) : ServiceAcl.NONE;
    }

    /**
     * The configured list for callers known by the names of their hosts, to which Hadoop's default lists, which contain
     * users, do not apply.
     */
    static ServiceAcl ofHosts(Configuration conf, LongSupplier nanoTime) {
        return isEnabled(conf) ? new PolicyFile(conf, PolicyFile::withOwnResourcesOnly, nanoTime) : ServiceAcl.NONE;
    }

    private static boolean isEnabled(Configuration conf) {
        return conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false);
    }

    private static Configuration withOwnResourcesOnly(Configuration policy) {
        for (String key : DEFAULT_ACL_KEYS) {
            policy.unset(key);
        }
        return policy;
    }

    @Override
    public boolean admitsEveryone() {
        return false;
    }

    @Override
    public Optional<String> refusalReason(String name, Set<String> users, InetAddress address) {
        file.reloadIfChanged("the list of callers for the pool node's port is", this::refresh);
        try {
            Optional<UserGroupInformation> letIn = admit(users);
            if (letIn.isPresent()) {
                lists.authorize(letIn.get(), PoolNodeProtocol.class, conf, address);
                return Optional.empty();
            }
        } catch (AuthorizationException | RuntimeException e) {
            // A RuntimeException if no rule of auth_to_local maps the name to a user.
            LOG.debug("principal={} is refused by file={}", name, FILE, e);
        }
        return Optional.of(name + " at " + address.getHostAddress() + " is not allowed by " + KEY + " and "
                + KEY.replace(".acl", ".hosts") + " in " + FILE + " of the pool node's host");
    }

    /** The name under which the caller is admitted; empty if any of its names is blocked. */
    private Optional<UserGroupInformation> admit(Set<String> users) {
        AccessControlList allowed = lists.getProtocolsAcls(PoolNodeProtocol.class);
        AccessControlList blocked = lists.getProtocolsBlockedAcls(PoolNodeProtocol.class);
        Optional<UserGroupInformation> letIn = Optional.empty();
        for (String user : users) {
            UserGroupInformation ugi = UserGroupInformation.createRemoteUser(user);
            if (blocked.isUserAllowed(ugi)) {
                return Optional.empty();
            }
            if (allowed.isUserAllowed(ugi)) {
                letIn = Optional.of(ugi);
            }
        }
        return letIn;
    }

    private void read() {
        Configuration policy = new Configuration(conf);
        policy.addResource(FILE);
        lists.refreshWithLoadedConfiguration(selection.apply(policy), PROVIDER);
    }

    private String refresh() {
        read();
        return KEY + " is " + lists.getProtocolsAcls(PoolNodeProtocol.class).getAclString();
    }
}

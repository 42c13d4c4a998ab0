/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import java.net.InetAddress;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.authorize.ServiceAuthorizationManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code hadoop-policy.xml} says of a pool node's port: users, groups and hosts, as of Hadoop's own. The file is read again
 * when it has changed and somebody calls: a pool node alone has no port for {@code dfsadmin -refreshServiceAcl}, and the one in a
 * NameNode is older than its server. A file that cannot be read changes nothing.
 *
 * <p>Uses {@code ServiceAuthorizationManager.refresh} and {@code authorize}.
 */
final class PolicyFile implements ServiceList {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFile.class);

    /** In {@code hadoop-policy.xml}; with {@code .blocked} behind it, and {@code .hosts} in the place of {@code .acl}. */
    static final String KEY = "security.trefoil.journal.protocol.acl";

    private static final String FILE = System.getProperty("hadoop.policy.file", "hadoop-policy.xml");

    private static final PolicyProvider PROVIDER = new PolicyProvider() {
        @Override
        public Service[] getServices() {
            return new Service[] {new Service(KEY, PoolNodeProtocol.class)};
        }
    };

    /** By which Hadoop's lists know the port. */
    interface PoolNodeProtocol {}

    private final Configuration conf;
    private final ResourceFile file;
    private final ServiceAuthorizationManager lists = new ServiceAuthorizationManager();

    private PolicyFile(Configuration conf, LongSupplier nanoTime) {
        this.conf = conf;
        this.file = new ResourceFile(conf, FILE, nanoTime);
        lists.refresh(conf, PROVIDER);
    }

    /** The list of the configuration, if {@code hadoop.security.authorization} wants it. */
    static ServiceList of(Configuration conf, LongSupplier nanoTime) {
        return conf.getBoolean(CommonConfigurationKeys.HADOOP_SECURITY_AUTHORIZATION, false)
                ? new PolicyFile(conf, nanoTime)
                : ServiceList.NONE;
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public Optional<String> refusal(String principal, InetAddress address) {
        if (file.hasChanged()) {
            refresh();
        }
        try {
            lists.authorize(UserGroupInformation.createRemoteUser(principal), PoolNodeProtocol.class, conf, address);
            return Optional.empty();
        } catch (AuthorizationException | RuntimeException e) {
            // The latter if no rule of auth_to_local makes a user of it.
            LOG.debug("Not let in by {}", FILE, e);
            return Optional.of(principal + " at " + address.getHostAddress() + " is not let in by " + KEY + " and "
                    + KEY.replace(".acl", ".hosts") + " in " + FILE + " of the pool node's host");
        }
    }

    private void refresh() {
        try {
            lists.refresh(conf, PROVIDER);
            LOG.info(
                    "{} was read again: {} is {}",
                    FILE,
                    KEY,
                    lists.getProtocolsAcls(PoolNodeProtocol.class).getAclString());
        } catch (RuntimeException e) {
            LOG.error("{} cannot be read; who may use the pool node's port is as before", FILE, e);
        }
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.hdfs.security.CertificateAuthentication;
import io.trefoil.journal.hdfs.security.KerberosAuthentication;
import io.trefoil.journal.hdfs.security.PoolPrincipals;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.tls.TlsPolicy;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;

/**
 * Reads from the configuration how callers and pool nodes prove who they are.
 *
 * <p>Uses {@code SecurityUtil.getAuthenticationMethod} and {@code UserGroupInformation.loginUserFromKeytab}.
 */
public final class PoolAuthentication {

    private PoolAuthentication() {}

    /**
     * The authentication of a process that only calls the nodes of a journal, based on its user's login.
     *
     * @throws IllegalArgumentException if something is missing; the text names the property
     */
    public static Authentication of(Configuration conf, JournalId journal) {
        return of(conf, ConfiguredJournals.configurationOfUser(conf, journal));
    }

    /** The authentication of a NameNode or of a pool node. */
    static Authentication of(Configuration conf, SuffixedConfiguration suffixedConf) {
        if (isKerberos(conf, suffixedConf)) {
            return kerberos(conf, suffixedConf);
        }
        return SspKeys.TLS.get(suffixedConf) == TlsPolicy.OFF
                ? Authentication.NONE
                : CertificateAuthentication.of(conf);
    }

    private static Authentication kerberos(Configuration conf, SuffixedConfiguration suffixedConf) {
        return KerberosAuthentication.of(
                conf,
                PoolPrincipals.of(principal(suffixedConf), ConfiguredJournals.nameNodePrincipals(conf, suffixedConf))
                        .withWriters(
                                AccessSettingsReader.readConfiguredWriters(conf, suffixedConf),
                                AccessSettingsReader.writerPrincipals(conf, suffixedConf)));
    }

    /**
     * Logs this process in as a pool node, from its keytab; does nothing without Kerberos.
     *
     * @throws IllegalArgumentException if something is missing; the text names the property
     * @throws IOException if the login fails
     */
    public static void login(Configuration conf, NodeAddress node) throws IOException {
        SuffixedConfiguration suffixedConf = NodeConfiguration.suffixedForThisHost(conf);
        if (!isKerberos(conf, suffixedConf)) {
            return;
        }
        String keytab = text(suffixedConf, SspKeys.KEYTAB.name(), DFSConfigKeys.DFS_NAMENODE_KEYTAB_FILE_KEY);
        UserGroupInformation.setConfiguration(conf);
        UserGroupInformation.loginUserFromKeytab(
                PoolPrincipals.resolveForHost(
                        HostResolver.ofProcess().find(node.host()).get(0), principal(suffixedConf)),
                keytab);
    }

    /** Certificates of both sides are enough authentication. */
    private static boolean isKerberos(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean isWanted = SecurityUtil.getAuthenticationMethod(conf) != AuthenticationMethod.SIMPLE
                && !SspKeys.NO_AUTHENTICATION.get(suffixedConf);
        TlsPolicy tls = SspKeys.TLS.get(suffixedConf);
        if (isWanted && tls == TlsPolicy.OPTIONAL) {
            throw new IllegalArgumentException(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION
                    + " is kerberos, and " + SspKeys.TLS.name() + " is optional, which authenticates no caller: set "
                    + "it to off, for Kerberos, or to required on all hosts, for certificates");
        }
        return isWanted && tls == TlsPolicy.OFF;
    }

    private static String principal(SuffixedConfiguration conf) {
        return text(conf, SspKeys.PRINCIPAL.name(), DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY);
    }

    private static String text(SuffixedConfiguration conf, String ours, String nameNodes) {
        Optional<String> own = conf.text(ours);
        return own.isPresent()
                ? own.get()
                : conf.text(nameNodes)
                        .orElseThrow(() -> new IllegalArgumentException(
                                CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHENTICATION
                                        + " is kerberos, and neither " + ours + " nor " + nameNodes
                                        + " is set: without them neither callers nor pool nodes can prove "
                                        + "their identity. With " + SspKeys.NO_AUTHENTICATION.name()
                                        + " set to true, addresses are trusted instead"));
    }
}

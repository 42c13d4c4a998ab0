/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.client;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Bytes;
import java.net.MalformedURLException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.commons.configuration2.ex.ConfigurationException;

/** How a process shows bookies that it may use a journal's ledgers, and what it encrypts on the way. Immutable. */
@AutoValue
public abstract class ClientAccess {
    /** The settings that a file must not have: the place of the cluster, and those that takeovers and readers rely on. */
    private static final Set<String> RESERVED = Collections.unmodifiableSet(new HashSet<>(Arrays.asList(
            "metadataServiceUri", "zkServers", "zkLedgersRootPath", "delayEnsembleChange", "explicitLacInterval")));

    /** The package of BookKeeper's client as files of settings know it: in pieces, which relocation leaves as they are. */
    private static final String RELEASED = String.join(".", "org", "apache", "bookkeeper", "");

    /** The same package under the name that it has in our jar. */
    private static final String RELOCATED =
            ClientConfiguration.class.getName().replace("conf." + ClientConfiguration.class.getSimpleName(), "");

    /**
     * @param password of the ledgers
     * @param settings a file with settings of BookKeeper's own client, as its other users have it: TLS, SASL, access lists in ZooKeeper
     */
    public static ClientAccess of(Bytes password, Optional<Path> settings) {
        if (password.size() == 0) {
            throw new IllegalArgumentException("The password of the ledgers is empty");
        }
        return new AutoValue_ClientAccess(password, settings);
    }

    public abstract Bytes password();

    abstract Optional<Path> settings();

    /**
     * The configuration of a client, with nothing of ours.
     *
     * @throws IllegalArgumentException if the file cannot be read, or sets what it must not
     */
    final ClientConfiguration toConfiguration() {
        // The cluster's metadata in ZooKeeper has the released name of a class.
        ClientConfiguration conf = new ClientConfiguration()
                .setAllowShadedLedgerManagerFactoryClass(true)
                .setShadedLedgerManagerFactoryClassPrefix(RELOCATED.replace(RELEASED, ""));
        if (!settings().isPresent()) {
            return conf;
        }
        Set<String> before = keys(conf);
        try {
            conf.loadConf(settings().get().toUri().toURL());
        } catch (ConfigurationException | MalformedURLException e) {
            throw new IllegalArgumentException(
                    "Cannot read the settings of BookKeeper's client in "
                            + settings().get() + ": " + e.getMessage(),
                    e);
        }
        Set<String> reserved = keys(conf);
        reserved.removeAll(before);
        reserved.retainAll(RESERVED);
        if (!reserved.isEmpty()) {
            throw new IllegalArgumentException(
                    settings().get() + " must not set " + reserved + ": the journal's URI and its writer do");
        }
        for (String key : keys(conf)) {
            String value = conf.getString(key);
            if (value.startsWith(RELEASED)) {
                conf.setProperty(key, RELOCATED + value.substring(RELEASED.length()));
            }
        }
        return conf;
    }

    private static Set<String> keys(ClientConfiguration conf) {
        Set<String> keys = new TreeSet<>();
        for (Iterator<String> each = conf.getKeys(); each.hasNext(); ) {
            keys.add(each.next());
        }
        return keys;
    }

    /** Never shows the password. */
    @Override
    public final String toString() {
        return "ClientAccess{settings=" + settings() + "}";
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import io.trefoil.journal.transport.tls.KeySource;
import io.trefoil.journal.transport.tls.Keys;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.apache.hadoop.security.ssl.FileBasedKeyStoresFactory;
import org.apache.hadoop.security.ssl.SSLFactory;

/**
 * Keys and certificates from Hadoop's configuration: {@code ssl-server.xml}, or for callers {@code ssl-client.xml} if
 * that names a keystore. Hadoop's own code reloads the files when they change.
 *
 * <p>Uses {@code SSLFactory.readSSLConfiguration}, {@code FileBasedKeyStoresFactory}.
 */
public final class HadoopKeys implements KeySource {

    private final Configuration conf;

    public HadoopKeys(Configuration conf) {
        this.conf = conf;
    }

    @Override
    public Keys open(Side side) throws IOException {
        Configuration ofClient = settings(SSLFactory.Mode.CLIENT);
        String clientKeys = property(SSLFactory.Mode.CLIENT, FileBasedKeyStoresFactory.SSL_KEYSTORE_LOCATION_TPL_KEY);
        boolean isClient =
                side == Side.CALLER && !ofClient.getTrimmed(clientKeys, "").isEmpty();
        return isClient
                ? open(SSLFactory.Mode.CLIENT, ofClient)
                : open(SSLFactory.Mode.SERVER, settings(SSLFactory.Mode.SERVER));
    }

    private static Keys open(SSLFactory.Mode mode, Configuration settings) throws IOException {
        String trusted = property(mode, FileBasedKeyStoresFactory.SSL_TRUSTSTORE_LOCATION_TPL_KEY);
        if (settings.getTrimmed(trusted, "").isEmpty()) {
            throw new IOException(
                    "trefoil.journal.tls needs a truststore: " + trusted + " in " + file(mode) + " is not set");
        }
        FileBasedKeyStoresFactory stores = new FileBasedKeyStoresFactory();
        stores.setConf(settings);
        try {
            stores.init(mode);
            return new Keys(
                    Arrays.asList(stores.getKeyManagers()), Arrays.asList(stores.getTrustManagers()), stores::destroy);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            stores.destroy();
            throw new IOException(
                    "trefoil.journal.tls needs a keystore and a truststore, and those of " + file(mode) + " ("
                            + settings.get(property(mode, FileBasedKeyStoresFactory.SSL_KEYSTORE_LOCATION_TPL_KEY))
                            + ", " + settings.get(trusted) + ") cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private Configuration settings(SSLFactory.Mode mode) {
        Configuration settings = new Configuration(SSLFactory.readSSLConfiguration(conf, mode));
        // Without this, Hadoop reads no keystore for callers.
        settings.setBoolean(SSLFactory.SSL_REQUIRE_CLIENT_CERT_KEY, true);
        String providers = conf.getTrimmed(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "");
        if (!providers.isEmpty()
                && settings.getTrimmed(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, "")
                        .isEmpty()) {
            settings.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, providers);
        }
        return settings;
    }

    private static String property(SSLFactory.Mode mode, String template) {
        return FileBasedKeyStoresFactory.resolvePropertyName(mode, template);
    }

    private static String file(SSLFactory.Mode mode) {
        return "ssl-" + mode.name().toLowerCase(Locale.ROOT) + ".xml";
    }
}

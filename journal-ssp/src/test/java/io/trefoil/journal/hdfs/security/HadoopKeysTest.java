/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.TestCertificates;
import io.trefoil.journal.transport.tls.KeySource.Side;
import io.trefoil.journal.transport.tls.Keys;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Hadoop's files say about keys is taken, and what they leave out is named. */
class HadoopKeysTest {

    @TempDir
    private static Path directory;

    private static TestCertificates ours;
    private static Path keys;

    private final Configuration conf = new Configuration(false);

    @BeforeAll
    static void sign() throws Exception {
        ours = new TestCertificates(directory, "ours");
        keys = ours.createKeystore("nn1", "nn1.test");
    }

    private void open(Side side) throws IOException {
        Keys opened = new HadoopKeys(conf).open(side);
        assertThat(opened).isNotNull();
        opened.close();
    }

    @Test
    void clientUsesServerKeysUnlessClientFileOverridesThem() throws Exception {
        TestCertificates.configure(conf, keys, ours.truststore());
        open(Side.NODE);
        open(Side.CALLER);

        TestCertificates.configure(conf, "client", directory.resolve("none.p12"), ours.truststore());
        open(Side.NODE);
        assertThatThrownBy(() -> open(Side.CALLER))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ssl-client.xml")
                .hasMessageContaining("none.p12");
    }

    @Test
    void rejectsMissingTruststoreInsteadOfTrustingAll() {
        TestCertificates.configure(conf, keys, ours.truststore());
        conf.unset("ssl.server.truststore.location");

        assertThatThrownBy(() -> open(Side.NODE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ssl.server.truststore.location")
                .hasMessageContaining("not set");
    }

    @Test
    void rejectsMissingKeystore() {
        TestCertificates.configure(conf, keys, ours.truststore());
        conf.unset("ssl.server.keystore.location");

        assertThatThrownBy(() -> open(Side.CALLER))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ssl.server.keystore.location");
    }

    @Test
    void readsPasswordsFromCredentialProvider() throws Exception {
        TestCertificates.configure(conf, keys, ours.truststore());
        conf.unset("ssl.server.keystore.password");
        conf.unset("ssl.server.truststore.password");
        conf.set(
                CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH,
                "localjceks://file" + directory.resolve("passwords.jceks"));
        CredentialProvider provider =
                CredentialProviderFactory.getProviders(conf).get(0);
        for (String property : new String[] {"ssl.server.keystore.password", "ssl.server.truststore.password"}) {
            provider.createCredentialEntry(property, TestCertificates.PASSWORD.toCharArray());
        }
        provider.flush();

        open(Side.NODE);
    }
}

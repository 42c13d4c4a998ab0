/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.hdfs.security.HadoopKeys;
import io.trefoil.journal.transport.tls.TlsSettings;
import org.apache.hadoop.conf.Configuration;

/** Reads from the configuration whether this host's connections use TLS. */
public final class TlsSettingsReader {

    private TlsSettingsReader() {}

    /** Reads the TLS settings of a process that is not a NameNode. */
    public static TlsSettings read(Configuration conf) {
        return read(conf, NodeConfiguration.suffixedForThisHost(conf));
    }

    static TlsSettings read(Configuration conf, SuffixedConfiguration suffixedConf) {
        return TlsSettings.of(SspKeys.TLS.get(suffixedConf), new HadoopKeys(conf));
    }
}

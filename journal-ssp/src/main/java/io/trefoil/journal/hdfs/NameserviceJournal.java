/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.hdfs.config.PoolAuthentication;
import io.trefoil.journal.hdfs.config.PoolUri;
import io.trefoil.journal.hdfs.config.TlsSettingsReader;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.PoolSettings;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Opens the journal of a nameservice in a process that is not one of its NameNodes; starts no pool node.
 *
 * <p>Uses {@code DFSUtilClient.getNameNodeIds}, {@code DFSUtil.addKeySuffixes}.
 */
public final class NameserviceJournal {

    private NameserviceJournal() {}

    /**
     * The journal that the configuration gives a nameservice; {@link PoolProcess#closeAll} closes it.
     *
     * @throws IllegalArgumentException if it gives none; the text names the property
     */
    public static Journal of(Configuration conf, String nameservice) throws IOException {
        PoolUri uri = uri(conf, nameservice);
        return PoolProcess.journal(PoolSettings.builder()
                .journal(uri.journal())
                .addresses(uri.addresses())
                .minReplicas(1)
                .authentication(PoolAuthentication.of(conf, uri.journal()))
                .tls(TlsSettingsReader.read(conf))
                .build());
    }

    /**
     * Checks that the configuration gives a nameservice a journal; connects to nothing.
     *
     * @throws IllegalArgumentException if it gives none; the text names the property
     */
    public static void requireConfigured(Configuration conf, String nameservice) {
        uri(conf, nameservice);
    }

    private static PoolUri uri(Configuration conf, String nameservice) {
        String key = DFSConfigKeys.DFS_NAMENODE_SHARED_EDITS_DIR_KEY;
        List<String> properties = new ArrayList<>();
        for (String nameNode : DFSUtilClient.getNameNodeIds(conf, nameservice)) {
            properties.add(DFSUtil.addKeySuffixes(key, nameservice, nameNode));
        }
        properties.add(DFSUtil.addKeySuffixes(key, nameservice));
        properties.add(key);
        for (String property : properties) {
            String text = conf.getTrimmed(property, "");
            if (text.startsWith(PoolUri.SCHEME + ":")) {
                return PoolUri.parse(URI.create(text), conf);
            }
        }
        throw new IllegalArgumentException("No ssp:// journal of nameservice " + nameservice + ": "
                + DFSUtil.addKeySuffixes(key, nameservice) + " is '"
                + conf.getTrimmed(DFSUtil.addKeySuffixes(key, nameservice), "") + "'");
    }
}

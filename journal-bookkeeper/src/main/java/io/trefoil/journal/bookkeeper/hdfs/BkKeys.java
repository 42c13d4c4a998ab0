/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import io.trefoil.journal.bookkeeper.client.Quorums;
import java.util.Arrays;
import java.util.List;

/** The settings of journals in BookKeeper. */
public final class BkKeys implements SettingsSection {

    static final ConfigKey<Quorums> QUORUMS = ConfigKey.of(
                    "trefoil.bookkeeper.quorums", "three numbers, as 3,3,2", Quorums::parse)
            .withDefault("3,3,2")
            .withDoc("The number of bookies that a ledger is spread over, of those that get each entry, and of those"
                    + " that must have it before a client is answered. Applies to ledgers that are opened from now"
                    + " on.");

    static final ConfigKey<String> PASSWORD_FILE = ConfigKey.text("trefoil.bookkeeper.password.file")
            .withDoc("A file with the password of the journal's ledgers, the same for all its NameNodes; without it no"
                    + " journal is opened. Keep it from everybody but them: whoever reaches the bookies with it may read"
                    + " the edits, and end the writer. A journal keeps the password that it was formatted with.");

    static final ConfigKey<String> CLIENT_CONF = ConfigKey.text("trefoil.bookkeeper.client.conf")
            .withDoc(
                    "A file with settings of BookKeeper's own client, as the cluster's other users have it: TLS, SASL,"
                            + " access lists in ZooKeeper. It must not say where the cluster is, which the journal's URI says.");

    @Override
    public String section() {
        return "bookkeeper";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return Arrays.<ConfigKey<?>>asList(QUORUMS, PASSWORD_FILE, CLIENT_CONF);
    }
}

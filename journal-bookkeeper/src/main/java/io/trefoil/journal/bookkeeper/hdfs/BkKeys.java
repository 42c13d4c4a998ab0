/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SettingsSection;
import io.trefoil.journal.bookkeeper.client.Quorums;
import java.util.Collections;
import java.util.List;

/** The settings of journals in BookKeeper. */
public final class BkKeys implements SettingsSection {

    static final ConfigKey<Quorums> QUORUMS = ConfigKey.of(
                    "trefoil.bookkeeper.quorums", "three numbers, as 3,3,2", Quorums::parse)
            .withDefault("3,3,2")
            .withDoc("The number of bookies that a ledger is spread over, of those that get each entry, and of those"
                    + " that must have it before a client is answered. Applies to ledgers that are opened from now"
                    + " on.");

    @Override
    public String section() {
        return "bookkeeper";
    }

    @Override
    public List<ConfigKey<?>> keys() {
        return Collections.<ConfigKey<?>>singletonList(QUORUMS);
    }
}

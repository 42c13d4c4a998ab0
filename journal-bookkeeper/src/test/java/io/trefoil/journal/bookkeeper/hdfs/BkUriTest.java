/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.JournalId;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BkUriTest {

    @Test
    void uriNamesServersRootAndJournal() {
        BkUri uri = BkUri.parse(URI.create("bk://zk1:2181;zk2:2182/prod/ledgers/ns1"));

        assertThat(uri.servers()).isEqualTo("zk1:2181;zk2:2182");
        assertThat(uri.zooKeeperServers()).isEqualTo("zk1:2181,zk2:2182");
        assertThat(uri.root()).isEqualTo("/prod/ledgers");
        assertThat(uri.journal()).isEqualTo(JournalId.of("ns1"));
        assertThat(uri.recordPath()).isEqualTo("/trefoil-journals/prod/ledgers/ns1");
        assertThat(uri).hasToString("bk://zk1:2181;zk2:2182/prod/ledgers/ns1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"bk://zk1:2181", "bk://zk1:2181/", "bk://zk1:2181/ns1", "bk:///ledgers/ns1", "ssp://zk1/a/b"})
    void refusalOfIncompleteUriShowsExpectedFormat(String uri) {
        assertThatThrownBy(() -> BkUri.parse(URI.create(uri)))
                .hasMessageContaining("Wanted bk://zk1:2181;zk2:2181/ledgers/journal")
                .hasMessageContaining("found '" + uri + "'");
    }

    @Test
    void commasBetweenServersAreRefused() {
        assertThatThrownBy(() -> BkUri.parse(URI.create("bk://zk1:2181,zk2:2181/ledgers/ns1")))
                .hasMessageContaining("separated by ';'");
    }

    @Test
    void journalNameThatIsNoNameIsRefused() {
        assertThatThrownBy(() -> BkUri.parse(URI.create("bk://zk1:2181/ledgers/")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bk://zk1:2181/ledgers/");
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.hdfs;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import java.net.URI;

/**
 * The content of {@code bk://zk1:2181;zk2:2181/ledgers/journal}: ZooKeeper's servers, the root of the BookKeeper cluster
 * there, and the name of the journal. Immutable.
 */
@AutoValue
abstract class BkUri {

    static final String SCHEME = "bk";

    /** @throws IllegalArgumentException if the URI has another form; the text says which is wanted */
    static BkUri parse(URI uri) {
        String path = uri.getPath() == null ? "" : uri.getPath();
        int slash = path.lastIndexOf('/');
        if (!SCHEME.equals(uri.getScheme()) || uri.getAuthority() == null || slash < 2) {
            throw new IllegalArgumentException(
                    "Wanted bk://zk1:2181;zk2:2181/ledgers/journal: ZooKeeper's servers, the root of BookKeeper's"
                            + " ledgers there, and the name of the journal; found '" + uri + "'");
        }
        if (uri.getAuthority().contains(",")) {
            throw new IllegalArgumentException(
                    "In '" + uri + "': ZooKeeper's servers are separated by ';', since HDFS separates URIs by ','");
        }
        try {
            return new AutoValue_BkUri(
                    uri.getAuthority(), path.substring(0, slash), JournalId.of(path.substring(slash + 1)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("In '" + uri + "': " + e.getMessage(), e);
        }
    }

    /** ZooKeeper's servers, separated by semicolons, as BookKeeper's client wants them. */
    abstract String servers();

    /** ZooKeeper's servers, separated by commas, as ZooKeeper's own client wants them. */
    final String zooKeeperServers() {
        return servers().replace(';', ',');
    }

    /** The node of ZooKeeper below which the BookKeeper cluster keeps its metadata. */
    abstract String root();

    abstract JournalId journal();

    /** The node of ZooKeeper with the record of this journal. */
    final String recordPath() {
        return "/trefoil-journals" + root() + "/" + journal();
    }

    @Override
    public final String toString() {
        return SCHEME + "://" + servers() + root() + "/" + journal();
    }
}

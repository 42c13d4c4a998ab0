/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hdfs.version.SubtreeView;
import io.trefoil.federation.client.hdfs.version.TableVersion;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** A call waits no longer than it may, also if each look at the table takes long. */
class OwnerRetryPolicyTest {
    private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long LOOK = TimeUnit.SECONDS.toNanos(6);
    private static final Path FILE = new Path("/a/x");

    /** HDFS's client of a nameservice that has nothing. Hadoop makes it, by the name of its class. */
    public static final class Nameservice extends DistributedFileSystem {
        @Override
        public FileStatus getFileStatus(Path path) throws IOException {
            throw new FileNotFoundException(path.toString());
        }
    }

    private long nanos;

    private final OwnerRetryPolicy retryPolicy = new OwnerRetryPolicy(
            List.of(FILE),
            (version, within) -> {
                nanos += Math.min(LOOK, within) + 1;
                return version;
            },
            TIMEOUT_NANOS,
            () -> nanos);

    private static TableVersion version() throws IOException {
        Configuration conf = new Configuration();
        conf.set("fs.viewfs.overload.scheme.target.hdfs.impl", Nameservice.class.getName());
        conf.set("io.trefoil.subtrees.name", "fed");
        conf.set("io.trefoil.subtrees.version", "5");
        conf.set("fs.viewfs.mounttable.fed.linkFallback", "hdfs://localhost:1/");
        conf.set("fs.viewfs.mounttable.fed.link./b", "hdfs://localhost:2/b");
        return TableVersion.firstVersion(0, SubtreeView.open(URI.create("hdfs://fed"), conf), 0);
    }

    @Test
    void boundsWaitForUnreadableVersion() throws IOException {
        TableVersion version = version();
        RemoteException moved = new RemoteException(
                SubtreeMovedException.class.getName(),
                SubtreeMovedException.of("/a", "ns2", 6).getMessage());

        assertThatThrownBy(() -> retryPolicy.versionAfterMove(version, moved))
                .isInstanceOf(SubtreeMovedException.class);

        assertThat(nanos).isBetween(TIMEOUT_NANOS, TIMEOUT_NANOS + 10);
        version.view().close();
    }

    /** It was that of a seal, which is gone, so the call is repeated, and refused again. */
    @Test
    void boundsWaitForSealQuota() throws IOException {
        TableVersion version = version();
        NSQuotaExceededException refusal = new NSQuotaExceededException(1, 2);
        refusal.setPathName("/a");

        assertThatThrownBy(() -> {
                    while (true) {
                        retryPolicy.versionAfterSeal(version, refusal);
                    }
                })
                .isSameAs(refusal);

        assertThat(nanos).isBetween(TIMEOUT_NANOS, TIMEOUT_NANOS + 10);
        version.view().close();
    }
}

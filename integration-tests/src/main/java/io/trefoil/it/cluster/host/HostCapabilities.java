/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.process.Shell;

/** What this machine lets a cluster do, found out by trying: a container may have root without its rights. */
public final class HostCapabilities {
    private HostCapabilities() {}

    /** Whether {@link HaClusterBuilder#hostsInNetworkNamespaces} works here. */
    public static boolean hasNetworkNamespaces() {
        return Shell.isRoot()
                && succeeds(
                        """
                        ip netns add %1$s
                        ip link add %1$s type bridge && ip link del %1$s || failed=1
                        ip netns del %1$s
                        [ -z "$failed" ]
                        """
                                .formatted("tft" + ProcessHandle.current().pid()));
    }

    /** Whether {@link HaClusterBuilder#smallDisk} gives disks that can hang: file systems in image files, which can be frozen. */
    public static boolean hasDisksThatHang() {
        return Shell.hasLoopDevices()
                && succeeds(
                        """
                        command -v mkfs.ext4 fsfreeze
                        folder=$(mktemp -d)
                        truncate -s 8M "$folder/image"
                        mkfs.ext4 -q -F -m 0 "$folder/image"
                        mkdir "$folder/mounted"
                        mount -o loop "$folder/image" "$folder/mounted" && umount "$folder/mounted" || failed=1
                        rm -r "$folder"
                        [ -z "$failed" ]
                        """);
    }

    private static boolean succeeds(String script) {
        return Shell.tryToRun(script).exitCode() == 0;
    }
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.host;

import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.process.Shell;

/** The capabilities of this machine for clusters, determined by trying: a container may have root without its rights. */
public final class HostCapabilities {
    private HostCapabilities() {}

    /** Whether {@link HaClusterBuilder#withNetworkNamespaces} works here. */
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

    /** Whether {@link HaClusterBuilder#smallDisk} provides disks that can hang: file systems in image files, which can be frozen. */
    public static boolean hasFreezableDisks() {
        return Shell.hasLoopDevices()
                && succeeds(
                        """
                        command -v mkfs.ext4 fsfreeze
                        directory=$(mktemp -d)
                        truncate -s 8M "$directory/image"
                        mkfs.ext4 -q -F -m 0 "$directory/image"
                        mkdir "$directory/mounted"
                        mount -o loop "$directory/image" "$directory/mounted" && umount "$directory/mounted" || failed=1
                        rm -r "$directory"
                        [ -z "$failed" ]
                        """);
    }

    private static boolean succeeds(String script) {
        return Shell.tryRun(script).exitCode() == 0;
    }
}

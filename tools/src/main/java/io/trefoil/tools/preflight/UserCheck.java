/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.preflight;

import io.trefoil.tools.cluster.HostPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.List;

/** Checks that the other checks run as the NameNode's user: root may do everything, and would find nothing wrong. */
final class UserCheck implements Check {
    private static final String ROOT = "root";

    private final String user;

    UserCheck(String user) {
        this.user = user;
    }

    @Override
    public String name() {
        return "user";
    }

    @Override
    public List<PreflightFinding> check(HostPlan plan) {
        return Collections.singletonList(user.equals(ROOT) ? checkRoot(plan) : PreflightFinding.ok("this is " + user));
    }

    private static PreflightFinding checkRoot(HostPlan plan) {
        String owner = ownerOf(Paths.get(plan.journalDirectory()));
        return owner.equals(ROOT)
                ? PreflightFinding.note(
                        "this is root: of a NameNode with another user it is not known whether it may write its"
                                + " directories and read its keytabs",
                        "type it as the user of the NameNode: sudo -u hdfs hdfs trefoil preflight")
                : PreflightFinding.problem(
                        "this is root, and " + plan.journalDirectory() + " belongs to " + owner
                                + ": what root may do says nothing of that user",
                        "sudo -u " + owner + " hdfs trefoil preflight");
    }

    /** The owner of a directory; root if it does not exist yet. */
    private static String ownerOf(Path directory) {
        try {
            return Files.getOwner(directory).getName();
        } catch (IOException e) {
            return ROOT;
        }
    }
}

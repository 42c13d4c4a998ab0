/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.site;

import io.trefoil.tools.output.VersionOfJar;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code trefoil disable}: removes from an {@code hdfs-site.xml} the properties that {@code enable} wrote. */
@Command(
        name = "disable",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Removes the block that \"enable\" wrote from hdfs-site.xml, which is then byte for byte what it was. Changes"
                    + " nothing without --execute.",
            "Only writes the file, on this host. Move the edits out of the pool first, as "
                    + "docs/operating/migrate.md says."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the change was shown or made, or the file has no block",
            "1:the file could not be read or written; it is unchanged",
            "2:the command line or the file is wrong; it is unchanged"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil disable",
            "  hdfs trefoil disable --file /etc/hadoop/conf/hdfs-site.xml --execute"
        })
public final class DisableCommand implements Callable<Integer> {
    @Mixin
    private SiteOptions options;

    @Override
    public Integer call() throws IOException {
        return options.change(
                SiteText::withoutBlock,
                "has no block of \"enable\"",
                Collections.singletonList(
                        "NameNodes that start with this file know nothing of edits that are only in the pool."));
    }
}

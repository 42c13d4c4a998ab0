/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pin;

import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code trefoil journal unpin}: removes a pin that is no longer needed. */
@Command(
        name = "unpin",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = "Releases a pin; what only it kept may be purged from now on. Needs an active NameNode.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:it is released",
            "1:there is no such pin, or the journal has no writer",
            "2:the command line or the configuration is wrong",
            "3:no node answers"
        },
        footer = {"", "Examples:", "  hdfs trefoil journal unpin 4711"})
public final class UnpinCommand implements Callable<Integer> {

    @Mixin
    private final JournalOptions options;

    @Parameters(
            paramLabel = "PIN",
            description = "Its name, as \"journal pins\" shows it; or the transaction of an operator's.")
    private String pin;

    public UnpinCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        String name = pin.matches("[0-9]+") ? "pin-" + pin : pin;
        String done = options.openPinService(options.find()).unpin(name);
        options.print(() -> Collections.singletonMap("done", done), () -> done + "\n");
        return ExitCode.FINE;
    }
}

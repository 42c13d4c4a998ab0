/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.subtree;

import io.trefoil.tools.subtree.model.MoveRecord;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How fast commands move a subtree. */
final class RateOption {

    private static final int MOST = 1_000_000;

    @Option(
            names = "--rate",
            paramLabel = "FILES",
            description =
                    "Read, make and finish at most so many files and folders a second, 1 to 1000000, while clients work; not in the"
                            + " pause. If not given, as in the command that was interrupted, otherwise as fast as servers answer.")
    private Integer rate;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** @throws ParameterException if it is out of bounds */
    void check() {
        if (rate != null && (rate < 1 || rate > MOST)) {
            throw new ParameterException(
                    command.commandLine(), "Wanted --rate from 1 to " + MOST + " files a second, found " + rate);
        }
    }

    /** The move at the rate that was asked for; if none was, at its own. */
    MoveRecord applyTo(MoveRecord record) {
        return rate == null ? record : record.atRate(rate);
    }
}

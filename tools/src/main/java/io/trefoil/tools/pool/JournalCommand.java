/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pool;

import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine.Command;

/** {@code trefoil journal}: the commands about a journal. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Inspects and maintains the journal of a nameservice.")
public final class JournalCommand {}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import io.trefoil.tools.output.VersionOfJar;
import picocli.CommandLine.Command;

/** {@code trefoil image}: the commands about images in the pool. */
@Command(
        name = "image",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        synopsisSubcommandLabel = "COMMAND",
        description = "Finds and fetches the images of a namespace that the pool nodes hold.")
public final class ImageCommand {}

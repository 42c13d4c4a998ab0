/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.util.List;
import picocli.CommandLine;

/** Commands that another feature brings: {@code ServiceLoader} finds them, so that a build without the feature lacks them and nothing else. */
public interface AddedCommands {

    /** In the order in which the help lists them. */
    List<CommandLine> lines(Installation installation);
}

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.util.List;
import picocli.CommandLine;

/**
 * Commands provided by another feature, found by {@code ServiceLoader} through a file in the feature's own jar, so that a host without that
 * jar lacks only these commands.
 */
public interface CommandPlugin {

    /** The added commands, in the order in which the help lists them. */
    List<CommandLine> newCommandLines(Installation installation);
}

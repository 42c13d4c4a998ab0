/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import java.util.List;
import picocli.CommandLine;

/**
 * Commands that another feature brings: {@code ServiceLoader} finds them, whose file is in the feature's own jar, so
 * that a host without that jar lacks them and nothing else.
 */
public interface CommandPlugin {

    /** The added commands, in the order in which the help lists them. */
    List<CommandLine> lines(Installation installation);
}

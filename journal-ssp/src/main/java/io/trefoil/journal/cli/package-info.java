/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The command of the journal's operators, {@code hdfs trefoil}: what they type, see and get as an exit code.
 *
 * <p>It sees no Hadoop: {@link io.trefoil.journal.cli.Installation} is what it needs of one, and package {@code hdfs} has
 * that. The only package that sees picocli, which our jar carries under a name of its own.
 */
package io.trefoil.journal.cli;

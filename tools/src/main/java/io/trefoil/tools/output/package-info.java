/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The output and exit codes of commands: tables for human readers, JSON for programs, exit codes for scripts. */
package io.trefoil.tools.output;

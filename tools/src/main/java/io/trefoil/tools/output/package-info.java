/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** How commands print and exit: tables for people, JSON for programs, exit codes for scripts. */
package io.trefoil.tools.output;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Access control of pool nodes: which callers are admitted, and what they may ask for, by the table of requests and
 * rights, and by address where Hadoop authenticates no caller. See {@code docs/design/security.md}.
 */
package io.trefoil.journal.transport.access;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Who may call a pool node, and what callers may ask of it: the table of requests and rights, and trust by address
 * where Hadoop authenticates nobody. See {@code docs/design/security.md}.
 */
package io.trefoil.journal.transport.access;

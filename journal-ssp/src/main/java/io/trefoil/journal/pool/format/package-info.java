/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Formats a journal: the operator's order, the reasons to refuse it, and how the nodes get their first entries. In the
 * thread of the command. Implements what the protocol page says of a journal that is initialized again (rule R11).
 */
package io.trefoil.journal.pool.format;

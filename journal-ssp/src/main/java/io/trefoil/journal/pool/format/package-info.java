/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A journal is formatted: what an operator wants, why it must not be, and how the nodes are given their first entries. In the
 * thread of the command. Implements what the protocol page says of a journal that is initialized again (rule R11).
 */
package io.trefoil.journal.pool.format;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Histories of what concurrent clients asked and were told, and whether one order of single executions explains them. */
package io.trefoil.it.history;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Asks all nodes of a journal's pool for their status, and summarizes the answers for operators. Runs on the command's thread.
 */
package io.trefoil.tools.pool.survey;

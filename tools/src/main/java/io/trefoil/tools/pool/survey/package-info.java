/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Asks all nodes of a journal's pool how they are, and summarizes the answers for readers. Runs on the command's thread.
 */
package io.trefoil.tools.pool.survey;

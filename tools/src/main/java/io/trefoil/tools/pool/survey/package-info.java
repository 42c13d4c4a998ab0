/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * All nodes of a journal's pool asked how they are, and what that comes to for those who read it. On the command's thread.
 */
package io.trefoil.tools.pool.survey;

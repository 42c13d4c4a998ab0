/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Histories of concurrent calls and answers, clients that record them, and a check that some sequential order of the calls explains the
 * answers.
 */
package io.trefoil.it.history;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What {@code bin/mutate} needs: are the rules' guards held by tests, each of them? */
package io.trefoil.journal.mutation;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the journal promises, seen in simulations: the paper's claims one by one, every single and every pair of lost messages, and
 * many seeds.
 */
package io.trefoil.journal.sim.scenario;

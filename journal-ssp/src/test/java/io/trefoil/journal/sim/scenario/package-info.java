/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * What the journal promises, tested in simulations: the paper's claims one by one, every single message and every pair
 * of messages lost or duplicated, and many seeds.
 */
package io.trefoil.journal.sim.scenario;

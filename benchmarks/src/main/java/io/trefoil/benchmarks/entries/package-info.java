/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Counts what a batch goes through: how many methods are entered, of how many classes, until it is durable. It says nothing of speed; it
 * says what a person steps through.
 */
package io.trefoil.benchmarks.entries;

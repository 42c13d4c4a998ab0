/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Counts the methods that a batch enters, and their classes, until it is durable. It says nothing of speed; it
 * says what a person steps through.
 */
package io.trefoil.benchmarks.entries;

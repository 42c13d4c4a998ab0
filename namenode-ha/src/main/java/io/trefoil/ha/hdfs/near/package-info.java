/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The rules by which an observer gets the right to answer reads without asking the active ({@code docs/design/near-reads.md}; paper 4,
 * §3.5).
 *
 * <p>{@link io.trefoil.ha.hdfs.near.ReadLeaseRenewer} requests it repeatedly, on its own thread, and {@link
 * io.trefoil.ha.hdfs.near.ReadLeaseGranter} answers in the active's process.
 */
package io.trefoil.ha.hdfs.near;

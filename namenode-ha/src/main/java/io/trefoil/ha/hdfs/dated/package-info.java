/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Measures how old a forwarded call is when it arrives, by the active's own clock, and whether the active has been running since: a call
 * that its forwarder may have given up on is not executed.
 */
package io.trefoil.ha.hdfs.dated;

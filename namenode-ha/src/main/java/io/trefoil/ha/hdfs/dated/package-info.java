/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * How old a forwarded call is when it arrives, by the active's own clock, and whether the active has run since: a call that its forwarder
 * may have given up is not executed.
 */
package io.trefoil.ha.hdfs.dated;

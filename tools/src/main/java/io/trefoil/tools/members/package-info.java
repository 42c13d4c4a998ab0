/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil group add} and {@code remove}: another NameNode on a running cluster, and the way back. The configuration says who
 * the NameNodes are; these have every server read it anew, and see that it does what it says.
 */
package io.trefoil.tools.members;

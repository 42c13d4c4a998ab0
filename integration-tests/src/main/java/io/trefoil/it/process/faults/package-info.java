/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What is done to healthy processes and links: freezing, stuttering, delaying and watching. */
package io.trefoil.it.process.faults;

/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Java processes of a chosen JDK that do not outlive their parent: {@link io.trefoil.it.process.jvm.ExitWithParent} ends with
 * its parent, and {@link io.trefoil.it.process.jvm.StrayProcessKiller} ends what is left even when the parent is killed.
 */
package io.trefoil.it.process.jvm;

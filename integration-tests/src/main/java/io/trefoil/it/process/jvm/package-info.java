/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Java processes of a chosen JDK that do not outlive their parent: {@link io.trefoil.it.process.jvm.ExitWithParent} exits with its parent,
 * and {@link io.trefoil.it.process.jvm.StrayProcessKiller} kills what is left even if the parent is killed.
 */
package io.trefoil.it.process.jvm;
